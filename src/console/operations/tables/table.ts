/**
 * Content of a table cell: a text, a number, a link within the console, or a time (ISO 8601 or milliseconds) after an
 * optional text.
 */
export type TableCell =
  | string
  | number
  | { readonly at: string | number; readonly before?: string }
  | { readonly to: string; readonly text: string };

/** A table for the page. The newest row comes first. */
export interface ShownTable {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly id: string;
    readonly cells: readonly TableCell[];
    /** Button at the end of the row. */
    readonly remove?: RowCommand;
  }[];
  /** Text if there are no rows: what the table would show, and how to create a row. */
  readonly empty: string;
  /** Text below the table. */
  readonly note?: string;
}

/** Button in a table row. A click runs the console's command `make` with `what` and `values`. */
export interface RowCommand {
  readonly label: string;
  readonly what: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A form. Its submission runs the console's command `make` with `what` and the field values. */
export interface ShownForm {
  /** Name of the entry in `MAKERS` that creates the object. */
  readonly what: string;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly button: string;
  /** Whether the form keeps its values after submission, for creating a similar object. */
  readonly keeps?: boolean;
}

/** A field of a form. With `options`, it is a select list whose first option is the default; otherwise a text field. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** Initial value of the field. */
  readonly value?: string;
  /** Options of a select list, with their labels. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly type?: "hidden" | "number";
  /** Whether the field may be left empty. */
  readonly optional?: boolean;
}

/** Request that gets an object from the platform. A person can select its fields and expansions. */
export interface LookUp {
  readonly path: string;
  /** Query parameter for the chosen fields, for example `post.fields`. */
  readonly parameter: string;
  readonly fields: readonly string[];
  readonly expansions: readonly string[];
  /** Expansions without which the response does not contain the object. */
  readonly ticked?: readonly string[];
  /** Caller of the request: `app`, or the id of a person who may see the object. */
  readonly as: string;
}

/** Details of an object in the sandbox, for the page. */
export interface ShownObject {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, values: readonly TableCell[]])[];
  readonly forms: readonly ShownForm[];
  /** Request that returns the object from the platform; absent if no endpoint returns it. */
  readonly lookUp?: LookUp;
}
