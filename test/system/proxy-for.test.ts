import { describe, expect, it, test } from "vitest";
import { proxyFor } from "../../src/system/proxy-for.ts";

const PROXIES = { HTTPS_PROXY: "http://proxy.example:3128", HTTP_PROXY: "http://plain.example:80" };
const proxyOf = (url: string, environment: Readonly<Record<string, string>>) =>
  proxyFor(new URL(url), environment)?.href;

describe("the proxy of a request", () => {
  test.each([
    { url: "https://api.example.com/", environment: PROXIES, proxy: "http://proxy.example:3128/" },
    { url: "http://api.example.com/", environment: PROXIES, proxy: "http://plain.example/" },
    {
      url: "https://api.example.com/",
      environment: { ...PROXIES, https_proxy: "https://small.example" },
      proxy: "https://small.example/",
    },
    {
      url: "https://api.example.com/",
      environment: { HTTPS_PROXY: "proxy.example:3128" },
      proxy: "http://proxy.example:3128/",
    },
    { url: "https://api.example.com/", environment: { ...PROXIES, https_proxy: "" } },
    { url: "https://api.example.com/", environment: { HTTP_PROXY: "http://plain.example" } },
    { url: "https://api.example.com/", environment: {} },
  ])("for $url with $environment is $proxy", ({ url, environment, proxy }) => {
    expect(proxyOf(url, environment)).toBe(proxy);
  });

  test.each([
    "https://localhost:8080/",
    "https://127.0.0.1/",
    "http://127.1.2.3/",
    "https://[::1]:9/",
    "https://[::ffff:127.0.0.1]/",
  ])("is none for %s on this machine", (url) => {
    expect(proxyOf(url, PROXIES)).toBeUndefined();
  });

  test.each([
    { entry: "*", url: "https://api.example.com/" },
    { entry: "a.example, api.example.com", url: "https://api.example.com/" },
    { entry: "a.example EXAMPLE.com", url: "https://api.example.com/" },
    { entry: ".example.com", url: "https://api.example.com./" },
    { entry: "*.example.com", url: "https://api.example.com/" },
    { entry: "api.example.com:443", url: "https://api.example.com/" },
    { entry: "10.0.0.0/8", url: "https://10.1.2.3/" },
    { entry: "fd00::/8,10.0.0.1", url: "https://[fd00::1]/" },
    { entry: "[fd00::1]:443", url: "https://[fd00:0::1]/" },
    { entry: "fd00::1", url: "https://[fd00::1]/" },
  ])("is none for $url with NO_PROXY=$entry", ({ entry, url }) => {
    expect(proxyOf(url, { ...PROXIES, NO_PROXY: entry })).toBeUndefined();
  });

  test.each([
    { entry: "", url: "https://api.example.com/" },
    { entry: ",", url: "https://api.example.com/" },
    { entry: "ample.com", url: "https://api.example.com/" },
    { entry: "www.api.example.com", url: "https://api.example.com/" },
    { entry: "api.example.com:8443", url: "https://api.example.com/" },
    { entry: "10.0.0.0/8", url: "https://11.0.0.1/" },
    { entry: "10.0.0.0/99", url: "https://10.0.0.1/" },
  ])("is used for $url with NO_PROXY=$entry", ({ entry, url }) => {
    expect(proxyOf(url, { ...PROXIES, NO_PROXY: entry })).toBe("http://proxy.example:3128/");
  });

  it("is refused if it is no HTTP proxy, without its password in the message", () => {
    const environment = { HTTPS_PROXY: "socks5://ana:hunter2@proxy.example" };

    expect(() => proxyOf("https://api.example.com/", environment)).toThrow(
      /^HTTPS_PROXY is not the URL of an HTTP proxy: write {2}http:\/\/HOST:PORT$/,
    );
  });
});
