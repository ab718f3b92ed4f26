import * as z from "zod";
import { ATTRIBUTION_FIELDS, attributionParameters } from "../../actions/attributed-conversion.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { valueAt } from "../../config/value-at.ts";
import type { Path } from "../../config/yaml-document.ts";
import { LOOKED_UP, type LookedUpKind, resultFields } from "../../events/looked-up.ts";
import { example } from "../example.ts";
import type { ObjectLookup } from "../../actions/lookup.ts";
import { scalar, text } from "../schema/pieces.ts";
import type { StepBody } from "../run/step.ts";
import { compileConversion, writtenConversionKey } from "./platform/conversion-parameters.ts";
import type { StepContext } from "./step-context.ts";
import { defineStep } from "./step-kind.ts";
import { handleOf } from "../../text/handle.ts";

/** Keys of the step that name a person or a post, each with the pattern of its values. */
const NAMED = {
  user: { of: "user", by: "id", form: /^\d+$/, what: "a user id" },
  username: { of: "user", by: "username", form: /^\w{1,20}$/, what: "a handle" },
  post: { of: "post", by: "id", form: /^\d+$/, what: "a post id" },
} as const satisfies Record<
  string,
  Pick<ObjectLookup, "of" | "by"> & { readonly form: RegExp; readonly what: string }
>;
type NameKey = keyof typeof NAMED;
// `Object.keys` returns exactly these keys, since the table is constant
const NAME_KEYS = Object.keys(NAMED) as NameKey[];

const ATTRIBUTION = "attribution";
/** Keys of the step that name the subject. Exactly one must be present. */
const SUBJECTS = [...NAME_KEYS, ATTRIBUTION] as const;

const lookedUp = z.strictObject({
  user: text.optional().describe("Id of the person to look up."),
  username: text.optional().describe("Handle of the person to look up, with or without @."),
  post: text.optional().describe("Id of the post to look up."),
  attribution: z
    .strictObject({ ...writtenConversionKey, extra_device_ids: scalar.optional() })
    .optional()
    .describe("Conversion whose attribution to look up, with the interface's parameter names."),
  fields: z
    .array(text)
    .default([])
    .describe(
      `Requested fields. A person also has ${resultFields("user", []).join(", ")}; a post also has ${resultFields("post", []).join(", ")}.`,
    )
    .meta({
      examples: [["created_at", "description"]],
    }),
});
type Written = z.infer<typeof lookedUp>;

/** `lookup: {user, fields}` reads a person, post or conversion attribution; the object is `steps.<id>.result`. */
export const lookup = defineStep({
  example: example`
    triggers: [post.mentioned]
    actions:
      - id: author
        lookup:
          user: \${{ sender.id }}
          fields: [created_at, followers_count]
      - if: steps.author.result.followers_count > 10000
        then: [like]
  `,
  shape: {
    lookup: lookedUp.describe(
      "Look up a person, a post or the attribution of a conversion: steps.<id>.result has its fields.",
    ),
  },
  gives: ["status"],
  triesAnew: true,
  resultOf: (written) => {
    if (valueAt(written, [ATTRIBUTION]) !== undefined) return { result: ATTRIBUTION_FIELDS };
    const key = NAME_KEYS.find((one) => valueAt(written, [one]) !== undefined);
    const fields = valueAt(written, ["fields"]);
    const requested = Array.isArray(fields) ? fields.map(String) : [];
    return key && { object: { of: NAMED[key].of, fields: requested } };
  },
  compile({ context, path, keys: { lookup: written } }) {
    const at = [...path, "lookup"];
    const subject = oneSubject(context, at, written);
    if (subject === undefined) return undefined;
    return subject === ATTRIBUTION
      ? attributionLookup(context, at, written)
      : objectLookup(context, at, subject, written);
  },
});

/** Compiles the look-up of a person or a post. */
function objectLookup(
  context: StepContext,
  at: Path,
  key: NameKey,
  written: Written,
): StepBody | undefined {
  const { of, by, form, what } = NAMED[key];
  const fields = checkedFields(context, [...at, "fields"], of, written.fields);
  const writtenName = written[key] ?? "";
  const name = context.template([...at, key], writtenName);
  if (!name || !fields) return undefined;
  if (!writtenName.includes("${{") && !form.test(plain(writtenName, by))) {
    return context.report([...at, key], notAName(key, writtenName));
  }
  return {
    perform({ view }) {
      const rendered = name.render(view);
      if (!rendered.ok) return { kind: "not-ready", message: rendered.error };
      const value = plain(rendered.value, by);
      if (!form.test(value)) return { kind: "not-ready", message: `"${value}" is not ${what}` };
      return { kind: "lookup", lookup: { of, by, name: value, fields } };
    },
  };
}

/** Compiles the look-up of a conversion's attribution. */
function attributionLookup(
  context: StepContext,
  at: Path,
  { attribution, fields: [first] }: Written,
): StepBody | undefined {
  if (first !== undefined) {
    const message = "an attribution always has all its fields";
    const mistake = { code: "unknown-field", message, help: "leave  fields  out" };
    return context.report([...at, "fields"], mistake, "key");
  }
  const template = compileConversion(context, [...at, ATTRIBUTION], attribution ?? {}, {
    schemas: attributionParameters.shape,
    verb: "lookup",
  });
  if (template === undefined) return undefined;
  return {
    perform({ view }) {
      const rendered = template.render(view);
      if (!rendered.ok) return rendered.outcome;
      const conversion = attributionParameters.parse(rendered.values);
      return { kind: "lookup", lookup: { of: ATTRIBUTION, conversion } };
    },
  };
}

function plain(name: string, by: ObjectLookup["by"]): string {
  return by === "username" ? handleOf(name.trim()) : name.trim();
}

/** Returns the key that names the subject of the look-up. Reports a step without such a key, or with several. */
function oneSubject(
  context: StepContext,
  path: Path,
  written: Written,
): (typeof SUBJECTS)[number] | undefined {
  const [first, second] = SUBJECTS.filter((key) => written[key] !== undefined);
  if (first === undefined) {
    const message = '"lookup" does not name what is looked up';
    const help = 'add  user: "${{ sender.id }}",  username: HANDLE,  post: ID  or  attribution';
    return context.report(path, { code: "missing-key", message, help });
  }
  if (second === undefined) return first;
  const message = `"${first}" and "${second}" both name what is looked up`;
  const mistake = { code: "two-lookups", message, help: "keep one, or write two steps" };
  return context.report([...path, second], mistake, "key");
}

function notAName(key: NameKey, written: string) {
  const { what } = NAMED[key];
  const isHandle = key === "user" && NAMED.username.form.test(plain(written, "username"));
  const help = isHandle
    ? `write  username: ${plain(written, "username")}`
    : key === "username"
      ? "write the handle of the person, as  username: ana"
      : `write the digits of the id, as  ${key}: "1234"`;
  return { code: "invalid-value", message: `"${written}" is not ${what}`, help };
}

/** Returns the requested fields. Reports each unknown field. */
function checkedFields(
  context: StepContext,
  path: Path,
  of: LookedUpKind,
  written: readonly string[],
): readonly string[] | undefined {
  const fields = LOOKED_UP[of];
  const unknown = written.flatMap((name, index) => (fields.has(name) ? [] : [{ name, index }]));
  for (const { name, index } of unknown) {
    const message = `a ${of} has no field "${name}"`;
    context.report([...path, index], { code: "unknown-field", message, help: help(of, name) });
  }
  return unknown.length === 0 ? written : undefined;
}

/** Returns the names under which rules read the platform's field `name`. One field may have several names. */
function parts(of: LookedUpKind, name: string): readonly string[] {
  return [...LOOKED_UP[of]].flatMap(([part, { selects }]) => (selects === name ? [part] : []));
}

function help(of: LookedUpKind, name: string): string {
  const own = parts(of, name);
  if (own.length > 0) return `write  ${own.join(", ")}`;
  const guess = didYouMean(name, LOOKED_UP[of].keys());
  if (guess !== undefined) return `did you mean "${guess}"?`;
  return `fields of a ${of}: ${[...LOOKED_UP[of].keys()].join(", ")}`;
}
