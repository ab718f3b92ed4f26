/** A JSON schema as OpenAPI 3.0 writes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a published description says of an operation. */
export interface Operation {
  /** Parameters of its query, with the words that each takes in a list. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** What it answers, by status. */
  readonly answers: Readonly<Record<string, JsonSchema>>;
}

/** What a published description says, without its words. */
export interface PublishedFacts {
  readonly version: string;
  /** By method and path, such as `GET /2/users/{id}`. */
  readonly operations: Readonly<Record<string, Operation>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}
