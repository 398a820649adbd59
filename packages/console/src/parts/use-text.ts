/** The text of an input. */
import { type ChangeEvent, useState } from 'react';

interface Text {
  readonly value: string;
  readonly set: (value: string) => void;
  /** What the input is given: `<TextInput {...name.input} />`. */
  readonly input: {
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

export function useText(first = ''): Text {
  const [value, set] = useState(first);
  return { value, set, input: { value, onChange: ({ currentTarget }) => set(currentTarget.value) } };
}
