import { Agent, type Dispatcher } from "undici";
import { AREAS } from "../../../src/sandbox/areas.ts";
import { Router } from "../../../src/sandbox/server/router.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

const router = new Router(AREAS.flatMap(({ routes }) => routes));

/** A request with its response, as sent over the network. */
export interface WireExchange {
  readonly method: string;
  /** Path with its query. */
  readonly target: string;
  readonly authorization: string | undefined;
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly body: string;
}

/** HTTP connections that record each request and its response. */
export interface Recorder {
  readonly dispatcher: Dispatcher;
  /** Paths as they were sent, without the query. */
  readonly paths: ReadonlySet<string>;
  /** Routes of the sandbox that were called, such as `POST /2/posts`. */
  readonly rows: ReadonlySet<string>;
  /** All exchanges, in the order in which their responses were complete. */
  readonly exchanges: readonly WireExchange[];
  close(): Promise<void>;
}

/** Creates connections that record exchanges, and finds each request's route as the sandbox does. */
export function recorder(): Recorder {
  const agent = new Agent();
  const paths = new Set<string>();
  const rows = new Set<string>();
  const exchanges: WireExchange[] = [];
  const dispatcher = agent.compose((dispatch) => (request, handler) => {
    const path = request.path.split("?")[0] ?? "";
    paths.add(path);
    const method = METHODS.find((one) => one === request.method);
    const route = method && router.find(method, path)?.route;
    rows.add(`${request.method} ${route?.path ?? path}`);
    return dispatch(
      request,
      noting(request, handler, (exchange) => exchanges.push(exchange)),
    );
  });
  return { dispatcher, paths, rows, exchanges, close: () => agent.close() };
}

function noting(
  { method, path: target, headers, body: sent }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
  note: (exchange: WireExchange) => void,
): Dispatcher.DispatchHandler {
  let status = 0;
  const chunks: Buffer[] = [];
  const over = (body: string): void => {
    const { authorization } = Object(headers) as { readonly authorization?: string };
    const requestBody = typeof sent === "string" ? sent : undefined;
    note({ method, target, authorization, requestBody, status, body });
  };
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart(controller, statusCode, ...rest) {
      status = statusCode;
      handler.onResponseStart?.(controller, statusCode, ...rest);
    },
    onResponseData(controller, chunk) {
      chunks.push(Buffer.from(chunk));
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      over(Buffer.concat(chunks).toString());
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(...args) {
      // A stream ends with an error, because its reader closes it. The stream's first line is recorded as the response.
      const [line = ""] = Buffer.concat(chunks).toString().split("\r\n");
      if (line !== "") over(line);
      handler.onResponseError?.(...args);
    },
  };
}
