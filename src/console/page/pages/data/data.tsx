import { sandbox } from "../../asking/api.ts";
import { useAsked } from "../../live/use-asked.ts";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { route } from "../../routing/route.ts";
import { FieldSelector } from "./field-selector.tsx";
import { People } from "./people.tsx";
import { Person } from "./person.tsx";
import { Said } from "./said.tsx";
import type { SandboxActivity, SandboxUser } from "../../../../sandbox/control/objects.ts";

/** What is in the sandbox: people, posts, messages; and which fields an answer about them has. */
export function Page({ session }: PageProps) {
  const { parts } = route.value;
  const [, kind = "users", id] = parts;
  const users = useAsked(
    (signal) => sandbox.get<{ users: readonly SandboxUser[] }>("/users", signal),
    [],
    (batch) => batch.sandbox.some(({ type }) => type === "world"),
  );
  const said = useAsked(
    (signal) =>
      sandbox.get<{ activities: readonly SandboxActivity[] }>("/activities?limit=1000", signal),
    [],
    (batch) => batch.sandbox.some(({ type }) => type === "activity" || type === "world"),
  );
  const bot = session.sandbox?.bot?.id;
  return (
    <main id="main" tabIndex={-1}>
      <h1>Data</h1>
      <nav class="tabs" aria-label="Kinds of data">
        {KINDS.map(({ name, label }) => (
          <a key={name} href={`/data/${name}`} aria-current={name === kind ? "true" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <Shown asked={users}>
        {({ users: people }) => {
          const handleOf = (who: string | undefined): string =>
            `@${people.find((one) => one.id === who)?.username ?? who ?? ""}`;
          if (kind === "users" && id === undefined) {
            return <People people={people} session={session} onAdded={users.again} />;
          }
          const person = people.find((one) => one.id === id);
          return (
            <>
              {kind === "users" && person !== undefined && (
                <Person key={person.id} person={person} session={session} onChanged={users.again} />
              )}
              {kind !== "users" && id === undefined && (
                <Shown asked={said}>
                  {({ activities }) => (
                    <Said
                      kind={kind === "messages" ? "message" : "post"}
                      all={activities}
                      handleOf={handleOf}
                    />
                  )}
                </Shown>
              )}
              {id !== undefined && (
                <FieldSelector key={`${kind} ${id}`} kind={kind} id={id} reader={bot ?? "app"} />
              )}
            </>
          );
        }}
      </Shown>
    </main>
  );
}

const KINDS = [
  { name: "users", label: "People" },
  { name: "posts", label: "Posts" },
  { name: "messages", label: "Messages" },
] as const;
