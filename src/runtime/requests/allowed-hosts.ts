import { isIP } from "node:net";
import { canonicalAddress, isGlobalUnicast } from "../../system/global-unicast.ts";

/** Where the steps `http` may send requests to. */
export interface AllowedHosts {
  /** Why a request to this address may not be sent; `undefined` when it may. */
  refusal(url: URL): string | undefined;
  /** Whether an address that a host's name stands for may be connected to. */
  isOpen(address: string, port: number): boolean;
}

/**
 * The hosts of the setting `http.allow`.
 *
 * A name without a port stands for the ports of http and https. Addresses on the public internet are open to
 * each listed name. Other addresses, such as this machine's and those of private networks, are open only if the
 * address itself is listed; `localhost` lists the loopback addresses.
 *
 * @param allow `api.example.com`, `127.0.0.1:9999`, `[::1]:9999`, `localhost:9999`.
 */
export function allowedHosts(allow: readonly string[]): AllowedHosts {
  const listed = new Set(allow.map(listing));
  const isListed = (host: string, port: number) =>
    listed.has(`${host}:${port}`) || ((port === 80 || port === 443) && listed.has(host));
  return {
    refusal(url) {
      if (url.protocol !== "https:" && url.protocol !== "http:") {
        return `${url.protocol} is neither http nor https`;
      }
      const port = portOf(url);
      if (isListed(hostKey(url.hostname), port)) return undefined;
      const name = port === 80 || port === 443 ? url.hostname : `${url.hostname}:${port}`;
      return `${name} is not in the settings: add it to  http: {allow: ["${name}"]}`;
    },
    isOpen(address, port) {
      const written = canonicalAddress(address);
      if (written === undefined) return false;
      if (isListed(inUrl(written), port) || isGlobalUnicast(written)) return true;
      return LOOPBACK.test(written) && isListed("localhost", port);
    },
  };
}

/** The port that a request to `url` goes to. */
export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** Loopback addresses, as `canonicalAddress` writes them. */
const LOOPBACK = /^(127\.|0:0:0:0:0:0:0:1$)/;

/** An entry of the setting, its host written as `hostKey` writes it. */
function listing(entry: string): string {
  const [, host = entry, port = ""] = /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(entry.toLowerCase()) ?? [];
  return hostKey(host) + port;
}

/** The host of a URL, each address in one written form. */
function hostKey(host: string): string {
  const address = canonicalAddress(host.replace(/^\[|\]$/g, ""));
  return address === undefined ? host : inUrl(address);
}

function inUrl(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}
