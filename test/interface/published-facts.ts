/** JSON schema in the notation of OpenAPI 3.0. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An operation of a published description. */
export interface Operation {
  /** Query parameters, with the words that each accepts in a list. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Schemas of the answers, by status. */
  readonly answers: Readonly<Record<string, JsonSchema>>;
}

/** Facts of a published description, without its prose. */
export interface PublishedFacts {
  readonly version: string;
  /** Operations by method and path, such as `GET /2/users/{id}`. */
  readonly operations: Readonly<Record<string, Operation>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}
