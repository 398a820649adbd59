/** The input of what a user signs in with: the email, or the field of `LOGIN_FIELD`. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { wordsFor } from '../api/labels.ts';
import { loginField } from '../app-name.ts';

/** What the field is called, such as "Email". */
export const loginLabel = (): string => wordsFor(loginField());

export const LoginInput = (props: TextInputProps) => (
  <TextInput
    label={loginLabel()}
    type={loginField() === 'email' ? 'email' : 'text'}
    autoComplete="username"
    autoCapitalize="none"
    {...props}
  />
);
