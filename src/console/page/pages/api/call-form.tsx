import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import type { CalledAnswer } from "../../../operations/call-platform.ts";
import type { CallableEndpoint } from "../../../operations/endpoints.ts";
import type { SessionAnswer } from "../../../operations/session.ts";
import { ask, command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { Chip } from "../../parts/chip.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { ShownAnswer } from "../../parts/platform-answer.tsx";
import { Credential } from "../../parts/speaker.tsx";
import { shell, shellWord } from "../../../../text/shell.ts";

interface FormProps {
  readonly endpoint: CallableEndpoint;
  readonly session: SessionAnswer;
}

/** Form that calls one endpoint, with path parameters, query, body and caller. */
export function CallForm({ endpoint, session }: FormProps) {
  const { method, path: template } = endpoint;
  const names = [...template.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [query, setQuery] = useState("");
  const [body, setBody] = useState(endpoint.example ?? "{}");
  const bot = session.sandbox?.bot?.id;
  const [as, setAs] = useState(
    method === "GET" && !template.endsWith("/me") ? "app" : (bot ?? "app"),
  );
  const [answer, setAnswer] = useState<CalledAnswer>();
  const hasBody = method === "POST" || method === "PUT";
  const path = pathOf(template, values, query);
  const lacks = names.filter((name) => (values[name] ?? "") === "");
  const request = { method, path, as, ...(hasBody && { body }) };
  return (
    <section class="card" aria-label={`${method} ${template}`}>
      <h2 class="mono">
        {method} {template}
      </h2>
      <Fidelity endpoint={endpoint} />
      <Form class="stack" onSubmit={() => void notify(called(request)).then(setAnswer)}>
        <PathFields names={names} values={values} onChange={setValues} />
        <label>
          Query{" "}
          <input
            class="mono"
            size={40}
            placeholder="user.fields=created_at"
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        </label>
        {hasBody && (
          <label>
            Body, as JSON
            <textarea
              class="mono"
              rows={6}
              value={body}
              onInput={({ currentTarget }) => setBody(currentTarget.value)}
            />
          </label>
        )}
        <Credential value={as} onChange={setAs} />
        <p class="mono">
          {method} {path}
        </p>
        <div class="row">
          <button type="submit" class="go" disabled={lacks.length > 0}>
            Send
          </button>
          <CopyButton label="Copy as curl" text={() => curlOf(request, session)} />
          {lacks.length > 0 && <span class="soft">Write {lacks.join(", ")} first.</span>}
        </div>
      </Form>
      {answer !== undefined && <ShownAnswer answer={answer} />}
    </section>
  );
}

interface PathFieldsProps {
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

/** Fields for the parameters in the path. */
function PathFields({ names, values, onChange }: PathFieldsProps) {
  return (
    <>
      {names.map((name) => (
        <label key={name}>
          {name}{" "}
          <input
            list="people"
            value={values[name] ?? ""}
            onInput={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
        </label>
      ))}
    </>
  );
}

function pathOf(template: string, values: Readonly<Record<string, string>>, query: string): string {
  const filled = template.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  return query === "" ? filled : `${filled}?${query.replace(/^\?/, "")}`;
}

interface PlatformCall {
  readonly method: string;
  readonly path: string;
  readonly as: string;
  readonly body?: string;
}

function called({ method, ...request }: PlatformCall): Promise<CalledAnswer> {
  if (method === "GET") return ask("askPlatform", request);
  const verb = method === "POST" || method === "PUT" ? method : "DELETE";
  return command("callPlatform", { ...request, method: verb });
}

function curlOf({ method, path, body }: PlatformCall, { sandbox }: SessionAnswer): string {
  const data =
    body === undefined ? "" : shell` -H 'content-type: application/json' --data-raw ${body}`;
  const url = `${sandbox?.baseUrl ?? ""}${path}`;
  return `${shell`curl -X ${method} -H 'authorization: …'`}${data} ${shellWord(url)}`;
}

/** Shows how well the platform documents the behaviour that the sandbox imitates. */
function Fidelity({ endpoint }: { endpoint: CallableEndpoint }) {
  if (endpoint.fidelity === "documented") {
    return (
      <p>
        <Chip tone="good">documented</Chip> {endpoint.section}
        {endpoint.note !== undefined && `: ${endpoint.note}`}
      </p>
    );
  }
  return (
    <p>
      <Chip tone={endpoint.fidelity === "assumed" ? "info" : "warn"}>{endpoint.fidelity}</Chip>{" "}
      {endpoint.note}
    </p>
  );
}
