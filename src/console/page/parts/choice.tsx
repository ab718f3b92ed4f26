interface ChoiceProps<T extends string | number> {
  readonly label: string;
  /** Hides the label from view; screen readers read it. */
  readonly isLabelHidden?: boolean;
  readonly value: T;
  /** Values, with their labels if these differ. */
  readonly options: readonly (T | readonly [value: T, words: string])[];
  readonly onChange: (value: T) => void;
}

/** Select list in which one value is chosen. */
export function Choice<T extends string | number>(props: ChoiceProps<T>) {
  const { label, isLabelHidden = false, value, options, onChange } = props;
  const pairs = options.map((one) => (typeof one === "object" ? one : ([one, one] as const)));
  return (
    <label>
      {isLabelHidden ? <span class="hidden-text">{label}</span> : `${label} `}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = pairs.find(([one]) => String(one) === currentTarget.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {pairs.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
