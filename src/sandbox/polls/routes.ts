import { assumed } from "../kernel/ledger.ts";
import { findUser } from "../model/accounts.ts";
import { controlInput } from "../server/control-input.ts";
import { renderContext } from "../data-query/render-context.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Route } from "../server/route.ts";
import { POLL_FIELDS } from "../../protocol/fields.ts";
import { polls } from "../model/polls.ts";
import { renderPoll } from "../rendering/polls.ts";
import { vote, voteInput } from "./rules.ts";

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/polls/:id/votes",
    ledger: assumed("The sandbox's own: the interface has no endpoint to vote."),
    auth: ["control"],
    handle: (call) => {
      const id = call.params["id"] ?? "";
      const poll = polls.in(call.sandbox.world).get(id);
      if (poll === undefined) {
        throw ApiError.control(404, "unknown_poll", `There is no poll ${id}.`);
      }
      const { user_id: userId, position } = controlInput(call, voteInput);
      vote(call.sandbox, poll, findUser(call.sandbox, userId), position);
      return { body: { poll: renderPoll(renderContext(call), poll, new Set(POLL_FIELDS)) } };
    },
  },
];
