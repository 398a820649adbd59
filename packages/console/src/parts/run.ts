/** Runs what a button starts, and reports the result. */
import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { FailureText } from './failure-text.tsx';

/** Runs work whose failure is shown. @param done is shown when it has succeeded */
export function run(work: () => Promise<unknown>, done?: string): void {
  work().then(() => done === undefined || notifications.show({ message: done }), showFailure);
}

export const showFailure = (error: unknown): void =>
  void notifications.show({
    color: 'red',
    title: 'This did not work',
    message: createElement(FailureText, { error }),
  });
