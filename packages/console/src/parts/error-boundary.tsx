/** Shows what went wrong in a view, such as a file of the console that could not be loaded, in place of the view alone. */
import { Component, type ReactNode } from 'react';
import { Failure } from './failure.tsx';

interface Caught {
  readonly error: { readonly value: unknown } | undefined;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Caught> {
  override readonly state: Caught = { error: undefined };

  static getDerivedStateFromError(value: unknown): Caught {
    return { error: { value } };
  }

  override render(): ReactNode {
    const { error } = this.state;
    // after an upgrade of the server its files have other names, which the page receives when it is reloaded
    return error === undefined ? (
      this.props.children
    ) : (
      <Failure error={error.value} retry={() => window.location.reload()} />
    );
  }
}
