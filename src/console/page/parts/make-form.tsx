import { Form } from "./form.tsx";
import type { SessionAnswer } from "../../operations/session.ts";
import type { FormField, ShownForm } from "../../operations/tables/table.ts";
import { command } from "../asking/api.ts";
import { notify } from "./toasts.tsx";

interface FormProps {
  readonly form: ShownForm;
  readonly session: SessionAnswer;
  readonly onMade: () => void;
  /** Whether the form is folded until a person opens it. */
  readonly isFolded?: boolean;
}

/** Shows a form that the server returned, and sends its values with the command `make`. */
export function MakeForm({ form, session, onMade, isFolded = false }: FormProps) {
  const { what, title, fields, button, keeps } = form;
  const make = async (element: HTMLFormElement): Promise<void> => {
    const filled = [...new FormData(element)].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
    const creation = command("make", { what, values: Object.fromEntries(filled) });
    if ((await notify(creation, (done) => done)) === undefined) return;
    if (keeps !== true) element.reset();
    onMade();
  };
  return (
    <details class="card make" open={!isFolded}>
      <summary>{title}</summary>
      <Form label={title} onSubmit={(form) => void make(form)}>
        {fields.map((field) => (
          <Field key={field.name} {...field} />
        ))}
        <button type="submit" disabled={session.role !== "operator"}>
          {button}
        </button>
      </Form>
    </details>
  );
}

function Field({ name, label, value, options, type, optional }: FormField) {
  if (type === "hidden") return <input type="hidden" name={name} value={value} />;
  const required = optional !== true;
  return (
    <label>
      {label}
      {options === undefined ? (
        <input
          {...(type === "number" ? { type } : { dir: "auto" })}
          name={name}
          required={required}
          defaultValue={value ?? ""}
        />
      ) : (
        <select name={name} required={required}>
          {options.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}
