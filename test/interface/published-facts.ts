/** A JSON schema as OpenAPI 3.0 writes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An operation of a published description. */
export interface Operation {
  /** Parameters of its query, with the words that each takes in a list. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Schemas of its answers, by status. */
  readonly answers: Readonly<Record<string, JsonSchema>>;
}

/** Facts of a published description, without its prose. */
export interface PublishedFacts {
  readonly version: string;
  /** Operations by method and path, such as `GET /2/users/{id}`. */
  readonly operations: Readonly<Record<string, Operation>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}
