import { describe, expect, it, test } from "vitest";
import { allowedHosts } from "../../../src/runtime/requests/allowed-hosts.ts";

const opens = (address: string, ...allow: string[]) => allowedHosts(allow).isOpen(address, 443);

describe("an address of a listed name", () => {
  test.each([
    { why: "a web server", address: "93.184.216.34" },
    { why: "past 0.0.0.0/8", address: "1.0.0.0" },
    { why: "the last one before multicast", address: "223.255.255.255" },
    { why: "before 10.0.0.0/8", address: "9.255.255.255" },
    { why: "past 10.0.0.0/8", address: "11.0.0.0" },
    { why: "before 100.64.0.0/10", address: "100.63.255.255" },
    { why: "past 100.64.0.0/10", address: "100.128.0.0" },
    { why: "before 127.0.0.0/8", address: "126.255.255.255" },
    { why: "past 127.0.0.0/8", address: "128.0.0.0" },
    { why: "before 169.254.0.0/16", address: "169.253.255.255" },
    { why: "past 169.254.0.0/16", address: "169.255.0.0" },
    { why: "before 172.16.0.0/12", address: "172.15.255.255" },
    { why: "past 172.16.0.0/12", address: "172.32.0.0" },
    { why: "anycast for port control", address: "192.0.0.9" },
    { why: "anycast for traversal", address: "192.0.0.10" },
    { why: "past 192.0.0.0/24", address: "192.0.1.0" },
    { why: "past 192.0.2.0/24", address: "192.0.3.0" },
    { why: "AS112", address: "192.31.196.1" },
    { why: "multicast tunnels", address: "192.52.193.1" },
    { why: "past the 6to4 relays", address: "192.88.100.0" },
    { why: "before 192.168.0.0/16", address: "192.167.255.255" },
    { why: "past 192.168.0.0/16", address: "192.169.0.0" },
    { why: "AS112, delegated", address: "192.175.48.1" },
    { why: "before 198.18.0.0/15", address: "198.17.255.255" },
    { why: "past 198.18.0.0/15", address: "198.20.0.0" },
    { why: "past 198.51.100.0/24", address: "198.51.101.0" },
    { why: "past 203.0.113.0/24", address: "203.0.114.0" },
    { why: "the first of global unicast", address: "2000::" },
    { why: "a web server by IPv6", address: "2606:4700::6810:84e5" },
    { why: "written in capitals and in full", address: "2A00:1450:4001:0808:0000:0000:0000:200E" },
    { why: "anycast for port control by IPv6", address: "2001:1::1" },
    { why: "anycast for traversal by IPv6", address: "2001:1::2" },
    { why: "anycast for service registration", address: "2001:1::3" },
    { why: "multicast tunnels by IPv6", address: "2001:3::1" },
    { why: "AS112 by IPv6", address: "2001:4:112::1" },
    { why: "ORCHIDv2", address: "2001:20::1" },
    { why: "the last of remote identification", address: "2001:3f:ffff::" },
    { why: "past 2001::/23", address: "2001:200::" },
    { why: "before 2001:db8::/32", address: "2001:db7:ffff::" },
    { why: "past 2001:db8::/32", address: "2001:db9::" },
    { why: "AS112 by IPv6, delegated", address: "2620:4f:8000::1" },
    { why: "before 3fff::/20", address: "3ffe:ffff::" },
    { why: "the last of global unicast", address: "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" },
    { why: "IPv4-mapped", address: "::ffff:93.184.216.34" },
    { why: "IPv4-mapped, hexadecimal", address: "::ffff:5db8:d822" },
    { why: "IPv4-mapped, in full", address: "0:0:0:0:0:FFFF:5DB8:D822" },
    { why: "IPv4-compatible", address: "::93.184.216.34" },
    { why: "NAT64", address: "64:ff9b::93.184.216.34" },
    { why: "NAT64, hexadecimal", address: "64:ff9b::5db8:d822" },
    { why: "6to4", address: "2002:5db8:d822::1" },
  ])("is allowed: $address, $why", ({ address }) => {
    expect(opens(address, "api.example.com")).toBe(true);
  });

  test.each([
    { why: "this network", address: "0.0.0.0" },
    { why: "the last of this network", address: "0.255.255.255" },
    { why: "private", address: "10.0.0.0" },
    { why: "the last of 10.0.0.0/8", address: "10.255.255.255" },
    { why: "of a carrier", address: "100.64.0.0" },
    { why: "the last of a carrier", address: "100.127.255.255" },
    { why: "this machine", address: "127.0.0.1" },
    { why: "the last of 127.0.0.0/8", address: "127.255.255.255" },
    { why: "link-local", address: "169.254.0.0" },
    { why: "a cloud's metadata", address: "169.254.169.254" },
    { why: "private, 172.16.0.0/12", address: "172.16.0.0" },
    { why: "the last of 172.16.0.0/12", address: "172.31.255.255" },
    { why: "protocol assignments", address: "192.0.0.0" },
    { why: "before the anycast ones", address: "192.0.0.8" },
    { why: "past the anycast ones", address: "192.0.0.11" },
    { why: "NAT64 discovery", address: "192.0.0.170" },
    { why: "documentation", address: "192.0.2.1" },
    { why: "a 6to4 relay", address: "192.88.99.1" },
    { why: "private, 192.168.0.0/16", address: "192.168.0.0" },
    { why: "the last of 192.168.0.0/16", address: "192.168.255.255" },
    { why: "benchmarking", address: "198.18.0.0" },
    { why: "the last of benchmarking", address: "198.19.255.255" },
    { why: "documentation, the second", address: "198.51.100.255" },
    { why: "documentation, the third", address: "203.0.113.1" },
    { why: "multicast", address: "224.0.0.0" },
    { why: "the last of multicast", address: "239.255.255.255" },
    { why: "reserved", address: "240.0.0.0" },
    { why: "broadcast", address: "255.255.255.255" },
    { why: "unspecified", address: "::" },
    { why: "this machine by IPv6", address: "::1" },
    { why: "this machine by IPv6, in full", address: "0:0:0:0:0:0:0:1" },
    { why: "IPv4-mapped", address: "::ffff:127.0.0.1" },
    { why: "IPv4-mapped, hexadecimal", address: "::ffff:7f00:1" },
    { why: "IPv4-mapped, in full and in capitals", address: "0:0:0:0:0:FFFF:0A00:0001" },
    { why: "IPv4-compatible", address: "::127.0.0.1" },
    { why: "IPv4-compatible, hexadecimal", address: "::a00:1" },
    { why: "IPv4-translated", address: "::ffff:0:5db8:d822" },
    { why: "NAT64", address: "64:ff9b::10.0.0.1" },
    { why: "NAT64, hexadecimal", address: "64:ff9b::7f00:1" },
    { why: "NAT64 past its /96", address: "64:ff9b::1:5db8:d822" },
    { why: "NAT64 of a local network", address: "64:ff9b:1::5db8:d822" },
    { why: "discard only", address: "100::1" },
    { why: "dummy", address: "100:0:0:1::1" },
    { why: "before global unicast", address: "1fff:ffff::" },
    { why: "protocol assignments by IPv6", address: "2001:1::" },
    { why: "past the anycast ones by IPv6", address: "2001:1::4" },
    { why: "Teredo", address: "2001:0:5db8:d822::1" },
    { why: "benchmarking by IPv6", address: "2001:2::1" },
    { why: "the old ORCHID", address: "2001:10::1" },
    { why: "the last of 2001::/23", address: "2001:1ff:ffff::" },
    { why: "documentation by IPv6", address: "2001:db8::1" },
    { why: "6to4 of a private address", address: "2002:a00:1::1" },
    { why: "6to4 of this machine", address: "2002:7f00:1::" },
    { why: "documentation, the newer", address: "3fff::" },
    { why: "the last of the newer documentation", address: "3fff:fff:ffff::" },
    { why: "past global unicast", address: "4000::" },
    { why: "segment routing", address: "5f00::1" },
    { why: "unique local", address: "fc00::1" },
    { why: "unique local, assigned here", address: "fd12:3456::1" },
    { why: "link-local by IPv6", address: "fe80::1" },
    { why: "link-local with a zone", address: "fe80::1%eth0" },
    { why: "global with a zone", address: "2606:4700::1%eth0" },
    { why: "site-local", address: "fec0::1" },
    { why: "multicast by IPv6", address: "ff02::1" },
    { why: "no address", address: "api.example.com" },
    { why: "no text at all", address: "" },
    { why: "an address in brackets", address: "[2606:4700::1]" },
    { why: "an address with a port", address: "93.184.216.34:80" },
  ])("is refused: $address, $why", ({ address }) => {
    expect(opens(address, "api.example.com")).toBe(false);
    expect(opens(address)).toBe(false);
  });
});

describe("an address that is listed itself", () => {
  test.each([
    { why: "the same", listed: "10.0.0.1", address: "10.0.0.1" },
    { why: "with its port", listed: "10.0.0.1:443", address: "10.0.0.1" },
    { why: "IPv4-mapped", listed: "10.0.0.1", address: "::ffff:a00:1" },
    { why: "IPv6", listed: "[fd00::1]", address: "fd00::1" },
    { why: "IPv6 in another form", listed: "[FD00:0::1]:443", address: "fd00:0:0:0:0:0:0:1" },
    { why: "listed IPv4-mapped", listed: "[::ffff:10.0.0.1]", address: "10.0.0.1" },
    { why: "localhost", listed: "localhost", address: "127.0.0.1" },
    { why: "localhost in capitals", listed: "LOCALHOST", address: "127.0.0.1" },
    { why: "localhost by IPv6", listed: "localhost:443", address: "::1" },
    { why: "all of localhost", listed: "localhost", address: "127.9.9.9" },
    { why: "localhost, IPv4-mapped", listed: "localhost", address: "::ffff:127.0.0.1" },
    { why: "the first of a network", listed: "172.18.0.0/16", address: "172.18.0.0" },
    { why: "the last of a network", listed: "172.18.0.0/16:443", address: "172.18.255.255" },
    { why: "a network, IPv4-mapped", listed: "10.96.0.0/12", address: "::ffff:10.111.0.9" },
    { why: "a network of IPv6", listed: "[fd00:12::/32]:443", address: "fd00:12:ffff::1" },
  ])("is allowed: $listed for $address, $why", ({ listed, address }) => {
    expect(opens(address, listed)).toBe(true);
  });

  test.each([
    { why: "another address", listed: "10.0.0.1", address: "10.0.0.2" },
    { why: "another port", listed: "10.0.0.1:8443", address: "10.0.0.1" },
    { why: "another port of localhost", listed: "localhost:8443", address: "127.0.0.1" },
    { why: "localhost for another network", listed: "localhost", address: "10.0.0.1" },
    { why: "localhost for the unspecified address", listed: "localhost", address: "::" },
    { why: "localhost by NAT64", listed: "localhost", address: "64:ff9b::7f00:1" },
    { why: "localhost, IPv4-compatible", listed: "localhost", address: "::127.0.0.1" },
    { why: "with a zone", listed: "[fe80::1]", address: "fe80::1%eth0" },
    { why: "127.0.0.1 for ::1", listed: "127.0.0.1", address: "::1" },
    { why: "past a network", listed: "172.18.0.0/16", address: "172.19.0.0" },
    { why: "before a network", listed: "172.18.0.0/16", address: "172.17.255.255" },
    { why: "another port of a network", listed: "172.18.0.0/16:8443", address: "172.18.0.1" },
    { why: "past a network of IPv6", listed: "[fd00:12::/32]", address: "fd00:13::" },
    { why: "a network for IPv6", listed: "10.0.0.0/8", address: "64:ff9b::a00:1" },
    { why: "a cloud's metadata", listed: "169.254.0.0/16", address: "169.254.169.254" },
    { why: "this machine in a network of all", listed: "0.0.0.0/0", address: "127.0.0.1" },
  ])("is refused: $listed for $address, $why", ({ listed, address }) => {
    expect(opens(address, listed)).toBe(false);
  });
});

describe("the host of a request", () => {
  const refusal = (url: string, ...allow: string[]) => allowedHosts(allow).refusal(new URL(url));

  test.each([
    { listed: "api.example.com", url: "https://api.example.com/" },
    { listed: "api.example.com", url: "http://api.example.com/" },
    { listed: "API.example.com", url: "https://api.EXAMPLE.com/" },
    { listed: "api.example.com:8443", url: "https://api.example.com:8443/" },
    { listed: "api.example.com:443", url: "https://api.example.com/" },
    { listed: "127.0.0.1:9999", url: "http://127.0.0.1:9999/" },
    { listed: "[::1]:9999", url: "http://[::1]:9999/" },
    { listed: "[0:0:0:0:0:0:0:1]:9999", url: "http://[::1]:9999/" },
    { listed: "[::ffff:10.0.0.1]", url: "http://[::ffff:10.0.0.1]/" },
    { listed: "api.example.com", url: "https://api.example.com./" },
  ])("is allowed: $listed for $url", ({ listed, url }) => {
    expect(refusal(url, listed)).toBeUndefined();
  });

  test.each([
    { listed: "api.example.com", url: "https://api.example.com:8443/", add: ":8443" },
    { listed: "api.example.com:8443", url: "https://api.example.com/", add: "" },
    { listed: "example.com", url: "https://api.example.com/", add: "" },
    { listed: "api.example.co", url: "https://api.example.com/", add: "" },
    { listed: "example.com", url: "https://api.example.com./", add: "" },
    { listed: "example.com", url: "https://api.example.com.:8443/", add: ":8443" },
  ])("is refused: $listed for $url", ({ listed, url, add }) => {
    const name = `api.example.com${add}`;
    const why = `${name} is not in the settings: add it to  http: {allow: ["${name}"]}`;
    expect(refusal(url, listed)).toBe(why);
  });

  it("is refused if only its network is listed: names in the network must be listed too", () => {
    expect(refusal("http://10.0.0.1/", "10.0.0.0/8")).toMatch(
      /^10\.0\.0\.1 is not in the settings/,
    );
    expect(refusal("http://orders/", "10.0.0.0/8")).toMatch(/^orders is not in the settings/);
  });

  it("is refused for another scheme", () => {
    expect(refusal("ftp://api.example.com/", "api.example.com")).toBe(
      "ftp: is neither http nor https",
    );
  });
});
