import { request as httpRequest } from "node:http";
import type { Request, Response } from "express";
import type { ShownSandbox } from "./console-needs.ts";
import { refuse } from "./sign-in/refuse.ts";

/** Path under which the console serves the sandbox's control interface. */
const PREFIX = "/_console/sandbox";

/** Forwards requests to the sandbox's control interface. Adds the interface's token, which the page never gets. */
export function sandboxProxy({ control }: Pick<ShownSandbox, "control">) {
  return (request: Request, response: Response): void => {
    const url = `${control.url}${request.originalUrl.slice(PREFIX.length)}`;
    const type = request.get("content-type");
    const passed = httpRequest(
      url,
      {
        method: request.method,
        headers: {
          authorization: `Bearer ${control.token}`,
          ...(type !== undefined && { "content-type": type }),
        },
      },
      (answer) => {
        response.status(answer.statusCode ?? 502);
        response.set("cache-control", "no-store");
        const answered = answer.headers["content-type"];
        if (answered !== undefined) response.set("content-type", answered);
        answer.pipe(response);
        answer.on("error", () => response.destroy());
      },
    );
    passed.on("error", () => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, "sandbox-away", "the sandbox does not answer");
    });
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  };
}
