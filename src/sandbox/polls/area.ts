import { POLL_FIELDS } from "../../protocol/fields.ts";
import type { Area } from "../server/route.ts";
import { documented } from "../kernel/ledger.ts";
import { polls as pollTable, votes } from "../model/polls.ts";
import { findUser } from "../model/accounts.ts";
import { controlInput, ownRoute } from "../server/control-input.ts";
import { renderContext } from "../data-query/viewer.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { renderPoll } from "../rendering/polls.ts";
import { vote, voteInput } from "./rules.ts";

/** Polls and their votes. */
export const polls: Area = {
  name: "polls",
  tables: [pollTable, votes],
  routes: [
    {
      method: "POST",
      path: "/_sandbox/polls/:id/votes",
      ...ownRoute("the interface has no endpoint to vote."),
      handle: (call) => {
        const id = call.params["id"] ?? "";
        const poll = pollTable.in(call.sandbox.world).get(id);
        if (poll === undefined) {
          throw ApiError.control(404, "unknown_poll", `There is no poll ${id}.`);
        }
        const { user_id: userId, position } = controlInput(call, voteInput);
        vote(call.sandbox, poll, findUser(call.sandbox, userId), position);
        return { body: { poll: renderPoll(renderContext(call), poll, new Set(POLL_FIELDS)) } };
      },
    },
  ],
  behaviours: [
    {
      behaviour: "polls are selectable objects; voting_status changes with the sandbox's clock",
      ...documented("Field-selectable objects", "The list of fields is that of the live service."),
    },
  ],
};
