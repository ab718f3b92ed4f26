import type { Express, Request, Response } from "express";
import type { ConsoleAppNeeds } from "./console-app-needs.ts";
import { type AnyOperation, OperationError } from "./operations/operation.ts";
import { COMMANDS, QUESTIONS } from "./operations/operations.ts";
import { mayDo } from "./operations/rights.ts";
import { sandboxProxy } from "./sandbox-proxy.ts";
import { commanding, operatorsOnly, readJson, readOnly, signedIn } from "./sign-in/guard.ts";
import type { Session } from "./sign-in/sessions.ts";

/** Adds the routes for the page's questions and commands, its event stream, and the sandbox's control interface. */
export function serveOperations(app: Express, needs: ConsoleAppNeeds): void {
  const { sessions, live, sandbox } = needs;
  app.get(
    "/_console/events",
    signedIn(sessions, (request, response, session) => {
      response.on(
        "close",
        sessions.onEnd(session, () => response.destroy()),
      );
      live.answer(request, response, session);
    }),
  );
  app.get(
    "/_console/ask/:name",
    signedIn(sessions, async (request, response, session) => {
      const rawRequest: unknown = JSON.parse(queryText(request, "with") ?? "{}");
      await answer(QUESTIONS, rawRequest, shownTo(session, needs), request, response, session);
    }),
  );
  // A question may be too long for a query string, so it may also be sent as a body.
  app.post(
    "/_console/ask/:name",
    readJson,
    commanding(
      sessions,
      (request, response, session) =>
        answer(QUESTIONS, request.body ?? {}, shownTo(session, needs), request, response, session),
      "reader",
    ),
  );
  app.post(
    "/_console/do/:name",
    readJson,
    commanding(sessions, (request, response, session) =>
      answer(COMMANDS, request.body ?? {}, needs, request, response, session),
    ),
  );
  if (sandbox === undefined) return;
  const passOn = sandboxProxy(sandbox);
  // The sandbox's control interface exposes private messages and tokens, so even GET requests need the role operator.
  app.get("/_console/sandbox/{*path}", signedIn(sessions, operatorsOnly(passOn)));
  app.all("/_console/sandbox/{*path}", commanding(sessions, passOn));
}

/**
 * Returns what a session's operations may access: for readers, everything except the sandbox, which exposes private
 * messages and tokens.
 */
function shownTo({ role }: Session, needs: ConsoleAppNeeds): ConsoleAppNeeds {
  const { sandbox, ...others } = needs;
  return role === "operator" || sandbox === undefined ? needs : others;
}

async function answer(
  table: Readonly<Record<string, AnyOperation>>,
  rawRequest: unknown,
  needs: ConsoleAppNeeds,
  request: Request,
  response: Response,
  { role }: Session,
): Promise<void> {
  const name = String(request.params["name"]);
  const one = Object.hasOwn(table, name) ? table[name] : undefined;
  if (one === undefined) throw new OperationError(`there is no operation ${name}`, 404);
  const checked: unknown = one.request.parse(rawRequest);
  if (!mayDo(role, name, checked)) return readOnly(response);
  const text = JSON.stringify((await one.answer(needs as never, checked as never)) ?? null);
  response
    .set("cache-control", "no-store")
    .type("json")
    .send(needs.mask?.text(text) ?? text);
}

function queryText({ query }: Request, name: string): string | undefined {
  const value = query[name];
  return typeof value === "string" ? value : undefined;
}
