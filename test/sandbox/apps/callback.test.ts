import { describe, expect, it } from "vitest";
import { REFUSED_CALLBACK_PROTOCOLS } from "../../../src/protocol/callbacks.ts";
import { callbackFault } from "../../../src/sandbox/model/callback.ts";

describe("Callback URL rules", () => {
  it.each([
    "https://app.example/callback",
    "https://app.example",
    "http://127.0.0.1:3000/callback",
    "https://127.0.0.1/",
    "http://my.own.host/",
    "https://app.example/cb?fixed=1",
    "myapp://login/done",
    "com.example.app://login/",
    "https://localhost.example/cb",
  ])("allow %s", (url) => {
    expect(callbackFault(url)).toBeUndefined();
  });

  it.each([
    { url: "http://localhost/cb", text: /127\.0\.0\.1 in place of localhost/ },
    { url: "http://localhost:3000/cb", text: /localhost/ },
    { url: "https://LOCALHOST/cb", text: /localhost/ },
    { url: "http://app.localhost/cb", text: /localhost/ },
    { url: "http://me@localhost./cb", text: /localhost/ },
    { url: "myapp://localhost/cb", text: /localhost/ },
    { url: "app.example/cb", text: /no protocol/ },
    { url: "", text: /no protocol/ },
    { url: "https://", text: /no domain/ },
    { url: "https:///path", text: /no domain/ },
    { url: "myapp:", text: /no domain/ },
    { url: "myapp://", text: /no domain/ },
    { url: "myapp://login", text: /needs a domain and a path, such as myapp:\/\/login\/callback/ },
    { url: "https://app.example/a b", text: /white space/ },
    { url: "https://app.example/cb\n", text: /white space/ },
    { url: "https://app.example:port/cb", text: /is not a URL/ },
    { url: "javascript:alert(1)", text: /protocol javascript .* not allowed/ },
    { url: "DATA://host/path", text: /protocol data .* not allowed/ },
  ])("refuse '$url'", ({ url, text }) => {
    expect(callbackFault(url)).toMatch(text);
  });

  it.each(REFUSED_CALLBACK_PROTOCOLS)("refuse the protocol %s", (protocol) => {
    expect(callbackFault(`${protocol}://host/path`)).toContain("is not allowed");
  });
});
