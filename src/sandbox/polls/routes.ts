import { findUser } from "../accounts/find.ts";
import { controlInput } from "../control/input.ts";
import { readerOf } from "../fields/reader.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Route } from "../kernel/route.ts";
import { POLL_FIELDS } from "../../interface/fields.ts";
import { polls } from "./entities.ts";
import { renderPoll } from "./render.ts";
import { vote, voteInput } from "./rules.ts";

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/polls/:id/votes",
    auth: ["control"],
    handle: (call) => {
      const id = call.params["id"] ?? "";
      const poll = polls.in(call.sandbox.world).get(id);
      if (poll === undefined) {
        throw Refusal.control(404, "unknown_poll", `There is no poll ${id}.`);
      }
      const { user_id: userId, position } = controlInput(call, voteInput);
      vote(call.sandbox, poll, findUser(call.sandbox, userId), position);
      return { body: { poll: renderPoll(readerOf(call), poll, new Set(POLL_FIELDS)) } };
    },
  },
];
