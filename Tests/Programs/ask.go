// Licensed under the MIT License. See LICENSE.
package main

import (
	"fmt"
	"net/http"
)

func main() {
	response, failure := http.Get("https://graph.microsoft.com/v1.0/me")
	fmt.Println(response, failure)
}
