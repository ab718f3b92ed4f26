import { route, setQuery } from "../routing/route.ts";

interface SearchFieldProps {
  readonly label: string;
  /** Name of the query parameter in the page's address. */
  readonly name: string;
  readonly size?: number;
}

/** Search field whose text is a query parameter of the page's address. */
export function SearchField({ label, name, size }: SearchFieldProps) {
  return (
    <label>
      {label}{" "}
      <input
        type="search"
        dir="auto"
        size={size}
        value={route.value.query.get(name) ?? ""}
        onInput={({ currentTarget }) => setQuery(name, currentTarget.value)}
      />
    </label>
  );
}
