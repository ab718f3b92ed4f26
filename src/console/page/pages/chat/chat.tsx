import { useState } from "preact/hooks";
import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";
import { command, sandbox } from "../../asking/api.ts";
import { told } from "../../parts/toasts.tsx";
import { useLive } from "../../live/live.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { route, setQuery } from "../../routing/route.ts";
import { Cast } from "./cast.tsx";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { SayAgain } from "./say-again.tsx";
import { SideTrace } from "./side-trace.tsx";
import type { CastMember } from "./thread.ts";

/** So many conversations have room side by side. */
const MOST_COLUMNS = 3;
const MOST_KEPT = 1_000;

/** People of the sandbox talk with the bot, side by side; beside them what the selected message set off. */
export function Page({ session }: PageProps) {
  const bot = session.sandbox?.bot;
  const cast = useAsked(
    (signal) => sandbox.get<{ users: readonly CastMember[] }>("/users", signal),
    [],
    (batch) => batch.sandbox.some(({ type }) => type === "world"),
  );
  const happenings = useHappenings();
  const people = (cast.value?.users ?? []).filter(({ id }) => id !== bot?.id);
  const { query } = route.value;
  const as = people.find(({ username }) => username === query.get("as")) ?? people[0];
  const shownNames = (query.get("with") ?? "").split(",").filter((name) => name !== "");
  const others = people.filter(({ username }) => shownNames.includes(username));
  const columns = people.filter((one) => one === as || others.includes(one));
  const [target, setTarget] = useState<SandboxActivity>();
  if (bot === undefined) {
    return (
      <main id="main" tabIndex={-1}>
        <h1>Chat</h1>
        <p>Only the sandbox runs here. To talk with a bot, start both: answerback dev</p>
      </main>
    );
  }
  const gone = new Set(happenings.flatMap(({ kind, ref }) => (kind === "delete" ? ref : [])));
  const speakAs = (username: string): void => {
    const names = [...new Set([username, ...columns.map((one) => one.username)])];
    setQuery("with", names.slice(0, MOST_COLUMNS).join(","));
    setQuery("as", username);
  };
  const restart = async (activity: string): Promise<void> => {
    const made = await told(
      command("restartFrom", { activity }),
      ({ username, said }) => `@${username} is new to the bot and has said the same ${said}.`,
    );
    if (made === undefined) return;
    cast.again();
    speakAs(made.username);
  };
  return (
    <main id="main" tabIndex={-1} class="chat">
      <h1>Chat</h1>
      {session.hasRuntime && <SayAgain />}
      <Shown asked={cast}>
        {() => (
          <div class="chat-parts">
            <Cast
              people={people}
              columns={columns}
              as={as}
              speakAs={speakAs}
              onAdded={cast.again}
              leave={(username) =>
                setQuery("with", shownNames.filter((name) => name !== username).join(","))
              }
            />
            <div class="chat-columns">
              {columns.slice(0, MOST_COLUMNS).map((person) => (
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
                people={people}
                as={as}
                bot={bot}
                target={target}
                speakAs={speakAs}
                clearTarget={() => setTarget(undefined)}
                lastMessage={happenings.findLast(
                  ({ kind, by, to }) => kind === "message" && by === bot.id && to === as.id,
                )}
                lastPost={happenings.findLast(
                  ({ kind, by, ref }) => kind === "post" && by === as.id && !gone.has(ref),
                )}
                hasRules={session.hasRuntime}
              />
            )}
            {session.hasRuntime && as !== undefined && (
              <SideTrace person={as} bot={bot} happenings={happenings} />
            )}
          </div>
        )}
      </Shown>
    </main>
  );
}

/** What people did, oldest first, with what they do meanwhile. */
function useHappenings(): readonly SandboxActivity[] {
  const asked = useAsked(
    (signal) =>
      sandbox.get<{ activities: readonly SandboxActivity[] }>(
        `/activities?limit=${MOST_KEPT}`,
        signal,
      ),
    [],
    (batch) => batch.sandbox.some(({ type }) => type === "world"),
  );
  const [fresh, setFresh] = useState<readonly SandboxActivity[]>([]);
  useLive((batch) => {
    const came = batch.sandbox.flatMap(({ type, data }) =>
      type === "activity" ? [data as unknown as SandboxActivity] : [],
    );
    if (came.length > 0) setFresh((last) => [...last, ...came].slice(-MOST_KEPT));
  });
  const known = new Set(asked.value?.activities.map(({ id }) => id));
  return [...(asked.value?.activities ?? []), ...fresh.filter(({ id }) => !known.has(id))];
}
