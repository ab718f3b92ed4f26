import express, { type Request, type RequestHandler, type Response } from "express";

type Options = NonNullable<Parameters<typeof express.json>[0]>;

/**
 * Returns a handler that parses the JSON body of a request. It refuses a body of another content type with 415: a
 * server that ignored the body would perform the request without its fields.
 */
export function jsonBody(options: Options = {}): RequestHandler {
  const parse = express.json(options);
  return (request: Request, response: Response, next) =>
    parse(request, response, (error?: unknown) => next(error ?? unparsedBody(request)));
}

function unparsedBody({ headers, body }: Request): Error | undefined {
  const isEmpty = (headers["content-length"] ?? "0") === "0" && !("transfer-encoding" in headers);
  if (body !== undefined || isEmpty) return undefined;
  return Object.assign(new Error("send the body as application/json"), { status: 415 });
}
