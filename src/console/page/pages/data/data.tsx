import { useQuestion } from "../../asking/use-asked.ts";
import type { LiveBatch } from "../../live/live.ts";
import { Cell, DataTable } from "../../parts/data-table.tsx";
import { MakeForm } from "../../parts/make-form.tsx";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { route } from "../../routing/route.ts";
import { FieldSelector } from "./field-selector.tsx";

const KINDS = [
  ["users", "People"],
  ["posts", "Posts"],
  ["messages", "Messages"],
  ["media", "Media"],
  ["polls", "Polls"],
  ["places", "Places"],
  ["lists", "Lists"],
  ["spaces", "Spaces"],
] as const;

type Kind = (typeof KINDS)[number];

/** Page with the sandbox's objects by kind. For each object, it shows the fields of the platform's responses. */
export function Page({ session }: PageProps) {
  const [, kind = "users", id] = route.value.parts;
  const shown = KINDS.find(([name]) => name === kind);
  return (
    <main id="main" tabIndex={-1} class="stack">
      <h1>Data</h1>
      <nav class="tabs" aria-label="Kinds of data">
        {KINDS.map(([name, label]) => (
          <a key={name} href={`/data/${name}`} aria-current={name === kind ? "true" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {shown === undefined ? (
        <p>There is no such kind of data.</p>
      ) : id === undefined ? (
        <All key={kind} kind={shown} session={session} />
      ) : (
        <One key={`${kind} ${id}`} kind={shown} id={id} session={session} />
      )}
    </main>
  );
}

function concernsData({ sandbox }: LiveBatch): boolean {
  return sandbox.some(({ type }) => /world|activity|request|clock/.test(type));
}

function All({ kind: [kind, label], session }: PageProps & { readonly kind: Kind }) {
  const answer = useQuestion("dataKind", { kind }, concernsData);
  return (
    <Shown answer={answer}>
      {({ table, form }) => (
        <>
          <MakeForm form={form} session={session} onMade={answer.again} />
          <DataTable name={label} table={table} />
        </>
      )}
    </Shown>
  );
}

interface OneProps extends PageProps {
  readonly kind: Kind;
  readonly id: string;
}

function One({ kind: [kind], id, session }: OneProps) {
  const answer = useQuestion("dataObject", { kind, id }, concernsData);
  return (
    <Shown answer={answer}>
      {({ title, facts, forms, lookUp }) => (
        <>
          <section class="card" aria-label={title}>
            <h2>{title}</h2>
            <dl class="facts">
              {facts.map(([name, cells]) => (
                <>
                  <dt>{name}</dt>
                  <dd>
                    {cells.map((cell, at) => (
                      <>
                        {at > 0 && ", "}
                        <Cell cell={cell} />
                      </>
                    ))}
                  </dd>
                </>
              ))}
            </dl>
          </section>
          {forms.map((form) => (
            <MakeForm key={form.what} form={form} session={session} onMade={answer.again} />
          ))}
          {lookUp !== undefined && <FieldSelector key={lookUp.path} lookUp={lookUp} />}
        </>
      )}
    </Shown>
  );
}
