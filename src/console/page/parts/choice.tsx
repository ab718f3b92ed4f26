interface ChoiceProps<T extends string | number> {
  readonly label: string;
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean;
  readonly value: T;
  /** Values to choose from: `value`, or `[value, label]` if the label differs from the value. */
  readonly options: readonly (T | readonly [value: T, words: string])[];
  readonly onChange: (value: T) => void;
}

/** Select list with a label. */
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
