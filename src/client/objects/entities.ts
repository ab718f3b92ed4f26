interface Span {
  /** Index of the entity's first character in the text, counted from 0. */
  readonly start: number;
  /** Index of the character after the entity. */
  readonly end: number;
}

/** A link in a text. */
export interface UrlEntity extends Span {
  readonly url: string;
  readonly expanded_url?: string;
  readonly display_url?: string;
  readonly unwound_url?: string;
  readonly title?: string;
  readonly description?: string;
  readonly media_key?: string;
}

/** Links, mentions, tags and annotations of a text. Kinds without an entry are absent. */
export interface TextEntities {
  readonly hashtags?: readonly (Span & { readonly tag: string })[];
  readonly cashtags?: readonly (Span & { readonly tag: string })[];
  readonly mentions?: readonly (Span & { readonly username: string; readonly id?: string })[];
  readonly urls?: readonly UrlEntity[];
  readonly annotations?: readonly (Span & {
    readonly probability?: number;
    readonly type?: string;
    readonly normalized_text?: string;
  })[];
}
