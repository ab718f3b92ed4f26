import { useState } from "preact/hooks";
import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";
import { command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useLive } from "../../live/live.ts";
import { useSandbox } from "../../asking/use-asked.ts";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { route, setQuery } from "../../routing/route.ts";
import { Cast } from "./cast.tsx";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { SayAgain } from "./say-again.tsx";
import { SideTrace } from "./side-trace.tsx";
import { activitiesAfter, type CastMember, MAX_ACTIVITIES } from "./thread.ts";

/** Maximum number of conversations side by side. */
const MAX_COLUMNS = 3;

/** Page on which people of the sandbox talk to the bot. The trace of the selected message is shown beside. */
export function Page({ session }: PageProps) {
  const bot = session.sandbox?.bot;
  return (
    <main id="main" tabIndex={-1} class={bot && "chat"}>
      <h1>Chat</h1>
      {bot === undefined ? (
        <p>Only the sandbox runs here. To talk with a bot, start both: answerback dev</p>
      ) : (
        <>
          {session.hasRuntime && <SayAgain />}
          <Conversations bot={bot} hasRuntime={session.hasRuntime} />
        </>
      )}
    </main>
  );
}

interface ConversationsProps {
  readonly bot: { readonly id: string; readonly username: string };
  readonly hasRuntime: boolean;
}

function Conversations({ bot, hasRuntime }: ConversationsProps) {
  const { usersAnswer, people, as, columns, speakAs, leave } = useCast(bot.id);
  const happenings = useHappenings();
  const [target, setTarget] = useState<SandboxActivity>();
  const gone = new Set(happenings.flatMap(({ kind, ref }) => (kind === "delete" ? ref : [])));
  const restart = async (activity: string): Promise<void> => {
    const restartedPerson = await notify(
      command("restartFrom", { activity }),
      ({ username, said }) => `@${username} is new to the bot and has said the same ${said}.`,
    );
    if (restartedPerson === undefined) return;
    usersAnswer.again();
    speakAs(restartedPerson.username);
  };
  return (
    <Shown answer={usersAnswer}>
      {() => (
        <div class="chat-parts">
          <Cast {...{ people, columns, as, speakAs, leave }} onAdded={usersAnswer.again} />
          <div class="chat-columns">
            {columns.slice(0, MAX_COLUMNS).map((person) => (
              <Conversation
                key={person.id}
                person={person}
                speaks={person === as}
                bot={bot}
                happenings={happenings}
                answerTo={setTarget}
                restartFrom={(one) => void restart(one.id)}
              />
            ))}
          </div>
          {as !== undefined && (
            <Composer
              {...{ people, as, bot, target, speakAs }}
              clearTarget={() => setTarget(undefined)}
              lastMessage={happenings.findLast(
                ({ kind, by, to }) => kind === "message" && by === bot.id && to === as.id,
              )}
              lastPost={happenings.findLast(
                ({ kind, by, ref }) => kind === "post" && by === as.id && !gone.has(ref),
              )}
              hasRules={hasRuntime}
            />
          )}
          {hasRuntime && as !== undefined && (
            <SideTrace person={as} bot={bot} happenings={happenings} />
          )}
        </div>
      )}
    </Shown>
  );
}

/**
 * Returns the people of the sandbox, the person who writes, and the conversations to show, as the page's address
 * selects them.
 */
function useCast(bot: string) {
  const usersAnswer = useSandbox<{ users: readonly CastMember[] }>("/users", (batch) =>
    batch.sandbox.some(({ type }) => type === "world"),
  );
  const { query } = route.value;
  const people = (usersAnswer.value?.users ?? []).filter(({ id }) => id !== bot);
  const as = people.find(({ username }) => username === query.get("as")) ?? people[0];
  const names = (query.get("with") ?? "").split(",").filter((name) => name !== "");
  const columns = people.filter((one) => one === as || names.includes(one.username));
  return {
    usersAnswer,
    people,
    as,
    columns,
    speakAs: (username: string): void => {
      const shown = [...new Set([username, ...columns.map((one) => one.username)])];
      setQuery("with", shown.slice(0, MAX_COLUMNS).join(","));
      setQuery("as", username);
    },
    leave: (username: string): void =>
      setQuery("with", names.filter((name) => name !== username).join(",")),
  };
}

/** Returns the sandbox's activities, oldest first. New activities are added as they happen. */
function useHappenings(): readonly SandboxActivity[] {
  const answer = useSandbox<{ activities: readonly SandboxActivity[] }>(
    `/activities?limit=${MAX_ACTIVITIES}`,
    (batch) => batch.sandbox.some(({ type }) => type === "world"),
  );
  const [fresh, setFresh] = useState<readonly SandboxActivity[]>([]);
  useLive((batch) => {
    setFresh((last) => activitiesAfter(last, batch.sandbox));
  });
  const knownIds = new Set(answer.value?.activities.map(({ id }) => id));
  return [...(answer.value?.activities ?? []), ...fresh.filter(({ id }) => !knownIds.has(id))];
}
