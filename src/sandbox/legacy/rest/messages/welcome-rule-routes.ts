import * as z from "zod";
import { userOf } from "../../../auth/caller.ts";
import { type WelcomeRuleRow, welcomeRules } from "../../../model/welcome-messages.ts";
import type { WireObject } from "../../../rendering/selection.ts";
import type { Route, RouteCall } from "../../../server/route.ts";
import { coded } from "../coded-errors.ts";
import { LegacyParameters } from "../parameters.ts";
import { legacyBody } from "../respond.ts";
import { bodyOf, MESSAGING, wireId } from "./message-input.ts";
import { requestedPage, rowsOf } from "./pages.ts";
import { ownMessageOf } from "./welcome-routes.ts";

const PATH = "/1.1/direct_messages/welcome_messages/rules";
const limits = { user: 15 } as const;

const newRule = z.object({ welcome_message_rule: z.object({ welcome_message_id: wireId }) });

/** Routes for the rules that choose the caller's default welcome message. */
export const welcomeRuleRoutes: readonly Route[] = [
  {
    ...MESSAGING,
    method: "POST",
    path: `${PATH}/new.json`,
    limits: { userDay: 1_000 },
    handle: (call) => {
      const { welcome_message_id: messageId } = bodyOf(call, newRule).welcome_message_rule;
      const { ownerId } = ownMessageOf(call, messageId);
      const { world, time } = call.sandbox;
      const row = { id: world.ids.next(), ownerId, messageId, at: time.now() };
      return legacyBody({ welcome_message_rule: rendered(welcomeRules.in(world).put(row)) });
    },
  },
  {
    ...MESSAGING,
    method: "GET",
    path: `${PATH}/show.json`,
    limits,
    handle: (call) => legacyBody({ welcome_message_rule: rendered(ownRule(call)) }),
  },
  {
    ...MESSAGING,
    method: "GET",
    path: `${PATH}/list.json`,
    limits,
    handle: (call) => {
      const table = welcomeRules.in(call.sandbox.world);
      const { items, cursor } = requestedPage(call, rowsOf(table, userOf(call.caller).id));
      // Without rules the live service leaves the list out.
      return legacyBody(
        items.length === 0 ? {} : { welcome_message_rules: items.map(rendered), ...cursor },
      );
    },
  },
  {
    ...MESSAGING,
    method: "DELETE",
    path: `${PATH}/destroy.json`,
    limits,
    handle: (call) => {
      welcomeRules.in(call.sandbox.world).delete(ownRule(call).id);
      return { status: 204 };
    },
  },
];

/** Finds a rule of the caller. @throws {ApiError} 404, code 34. */
function ownRule(call: RouteCall): WelcomeRuleRow {
  const id = new LegacyParameters(call).requiredId("id");
  const row = welcomeRules.in(call.sandbox.world).get(id);
  if (row?.ownerId === userOf(call.caller).id) return row;
  throw coded("pageMissing");
}

function rendered({ id, at, messageId }: WelcomeRuleRow): WireObject {
  return { id, created_timestamp: String(at), welcome_message_id: messageId };
}
