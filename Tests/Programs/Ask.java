// Licensed under the MIT License. See LICENSE.
public class Ask {
    public static void main(String[] a) throws Exception {
        System.out.println(((java.net.HttpURLConnection) new java.net.URL("https://graph.microsoft.com/v1.0/me").openConnection()).getResponseCode());
    }
}
