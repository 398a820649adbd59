/** An input for a value of any form, as JSON. */
import { Input } from '@mantine/core';
import { useState } from 'react';
import { Editor } from '../../parts/editor.tsx';
import { describedBy, type InputParts } from './input-parts.ts';

const shown = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

export function JsonInput({ label, field, value, set, fault, disabled }: InputParts) {
  const [text, setText] = useState(shown(value));
  const [own, setOwn] = useState<string>();
  const write = (next: string): void => {
    setText(next);
    if (next.trim() === '') {
      setOwn(undefined);
      return set(null);
    }
    try {
      set(JSON.parse(next));
      setOwn(undefined);
    } catch (error) {
      setOwn(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Input.Wrapper
      label={label}
      description={describedBy(field, 'JSON')}
      required={field.required}
      error={own ?? fault}
      labelElement="div"
    >
      <Editor label={label} value={text} set={write} isReadOnly={disabled === true} />
    </Input.Wrapper>
  );
}
