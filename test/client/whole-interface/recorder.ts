import { Agent, type Dispatcher } from "undici";
import { AREAS } from "../../../src/sandbox/areas.ts";
import { Router } from "../../../src/sandbox/kernel/http/router.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

const router = new Router(AREAS.flatMap(({ routes }) => routes));

/** Connections that note what went over them. */
export interface Recorder {
  readonly dispatcher: Dispatcher;
  /** Paths as they were sent, without the query. */
  readonly paths: ReadonlySet<string>;
  /** The sandbox's own names of what was called, such as `POST /2/posts`. */
  readonly rows: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Connections whose requests are looked up among the sandbox's routes as the sandbox does it. */
export function recorder(): Recorder {
  const agent = new Agent();
  const paths = new Set<string>();
  const rows = new Set<string>();
  const dispatcher = agent.compose((dispatch) => (request, handler) => {
    const path = request.path.split("?")[0] ?? "";
    paths.add(path);
    const method = METHODS.find((one) => one === request.method);
    const route = method && router.find(method, path)?.route;
    rows.add(`${request.method} ${route?.path ?? path}`);
    return dispatch(request, handler);
  });
  return { dispatcher, paths, rows, close: () => agent.close() };
}
