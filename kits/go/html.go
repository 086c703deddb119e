// Licensed under the MIT License. See LICENSE.

package entraemulator

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"
)

// htmlPage is the visible text of a page and its forms.
type htmlPage struct {
	text  string
	forms []htmlForm
}

type htmlForm struct {
	action, method string
	fields         []htmlField
	buttons        []htmlField
}

type htmlField struct {
	name, value string
	hidden      bool
}

// parse reads a page as far as possible. The standard library's XML parser tolerates HTML.
func parse(text string) htmlPage {
	decoder := xml.NewDecoder(strings.NewReader(text))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	page, words, unseen := htmlPage{}, []string{}, ""
	for {
		token, err := decoder.Token()
		if err != nil {
			page.text = strings.Join(strings.Fields(strings.Join(words, " ")), " ")
			return page
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "style" || token.Name.Local == "script" {
				unseen = token.Name.Local
			}
			page.add(token)
		case xml.EndElement:
			if token.Name.Local == unseen {
				unseen = ""
			}
		case xml.CharData:
			if unseen == "" {
				words = append(words, string(token))
			}
		}
	}
}

func (p *htmlPage) add(element xml.StartElement) {
	attributes := map[string]string{}
	for _, attribute := range element.Attr {
		attributes[attribute.Name.Local] = attribute.Value
	}
	if element.Name.Local == "form" {
		method := http.MethodGet
		if strings.EqualFold(attributes["method"], "post") {
			method = http.MethodPost
		}
		p.forms = append(p.forms, htmlForm{action: attributes["action"], method: method})
		return
	}
	if len(p.forms) == 0 {
		return
	}
	form := &p.forms[len(p.forms)-1]
	field := htmlField{name: attributes["name"], value: attributes["value"]}
	switch element.Name.Local {
	case "input":
		if attributes["type"] == "submit" {
			// The value of an input is its label. The emulator accepts the label of its buttons, too: “Sign in” is `signin`.
			field.value = strings.ReplaceAll(strings.ToLower(field.value), " ", "")
			form.buttons = append(form.buttons, field)
			return
		}
		_, readOnly := attributes["readonly"]
		field.hidden = readOnly || attributes["type"] == "hidden"
		if field.name != "" {
			form.fields = append(form.fields, field)
		}
	case "button":
		if kind, named := attributes["type"]; !named || kind == "submit" {
			form.buttons = append(form.buttons, field)
		}
	}
}

func (f *htmlForm) values() url.Values {
	values := url.Values{}
	for _, field := range f.fields {
		values.Set(field.name, field.value)
	}
	return values
}

// shows tells whether the form has a field with that name that a person can fill in.
func (f *htmlForm) shows(name string) bool {
	for _, field := range f.fields {
		if field.name == name && !field.hidden {
			return true
		}
	}
	return false
}

// has tells whether the form has a button with that name and value; "" is any value.
func (f *htmlForm) has(name, value string) bool {
	for _, button := range f.buttons {
		if button.name == name && (value == "" || button.value == value) {
			return true
		}
	}
	return false
}

// carriesResponse tells whether hidden fields contain the response for an app (OAuth 2.0 Form Post Response Mode, 2).
func (f *htmlForm) carriesResponse() bool {
	carries := false
	for _, field := range f.fields {
		if !field.hidden {
			return false
		}
		carries = carries || field.name == "code" || field.name == "error" || field.name == "id_token"
	}
	return carries && f.method == http.MethodPost
}

// press adds the first of these buttons, or the form's first button.
func (f *htmlForm) press(values url.Values, wanted ...string) {
	for _, value := range wanted {
		if f.has("action", value) {
			values.Set("action", value)
			return
		}
	}
	if len(f.buttons) > 0 && f.buttons[0].name != "" {
		values.Set(f.buttons[0].name, f.buttons[0].value)
	}
}

// pick adds the tile of a user, or the button for another account.
func (f *htmlForm) pick(values url.Values, user string) {
	for _, button := range f.buttons {
		if button.name == "account" && strings.EqualFold(button.value, user) {
			values.Set("account", button.value)
			return
		}
	}
	values.Set("action", "other")
}
