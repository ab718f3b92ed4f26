import { createServer as createHttps, type Server } from "node:https";
import { request } from "node:http";
import { generate } from "selfsigned";
import { listen } from "../../src/system/listen.ts";

/** TLS proxy with the certificate of a public name, on a port of this machine. */
export interface TlsFront {
  readonly port: number;
  /** Certificate of the proxy in PEM, which clients have to trust. */
  readonly ca: string;
  close(): Promise<void>;
}

/** Creates a certificate and its key for a public name. A client trusts it if it gets the certificate as a CA. */
export async function certificateFor(name: string): Promise<{ key: string; cert: string }> {
  const pair = await generate([{ name: "commonName", value: name }], {
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: name }] },
    ],
  });
  return { key: pair.private, cert: pair.cert };
}

/**
 * Opens a proxy that forwards TLS requests for `name` to a local server, as Caddy or nginx do; 502 without a server.
 */
export async function tlsFront(
  name: string,
  to: { readonly host: string; readonly port: number },
): Promise<TlsFront> {
  const { key, cert } = await certificateFor(name);
  const server: Server = createHttps({ key, cert }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request({ ...to, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.writeHead(502).end("bad gateway"));
    incoming.pipe(passed);
  });
  const port = await listen(server, 0);
  return {
    port,
    ca: cert,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
