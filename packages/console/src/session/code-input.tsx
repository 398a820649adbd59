/** The code of a second factor, in the forms that ask for one. */
import { TextInput } from '@mantine/core';
import type { useText } from '../parts/use-text.ts';

/** @param code what is typed */
export function CodeInput({ code }: { readonly code: ReturnType<typeof useText> }) {
  return (
    <TextInput
      label="Code"
      description="Six digits of your authenticator app, or a recovery code"
      autoComplete="one-time-code"
      autoFocus
      {...code.input}
    />
  );
}
