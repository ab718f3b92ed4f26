import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SECRET } from "../secret.ts";
import { printPort } from "./print-port.ts";

/** The part of @octokit/webhooks that is used. */
interface Octokit {
  readonly Webhooks: new (options: { secret: string }) => {
    on(event: "issues", handle: () => void): void;
  };
  readonly createNodeMiddleware: (webhooks: object, options: { path: string }) => RequestListener;
}

/** @octokit/webhooks as in its manual: verifies, parses and calls an empty handler. It stores nothing. */
const file = join(process.argv[2] ?? "", "node_modules/@octokit/webhooks/dist-bundle/index.js");
const { Webhooks, createNodeMiddleware }: Octokit = await import(pathToFileURL(file).href);
const webhooks = new Webhooks({ secret: SECRET });
webhooks.on("issues", () => {});
printPort(createServer(createNodeMiddleware(webhooks, { path: "/webhook" })));
