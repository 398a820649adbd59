/** What a view shows while it loads, when it fails, and when there is nothing to show. */
import { Alert, Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailureText } from './failure-text.tsx';

export const Waiting = () => (
  <Center p="xl">
    <Loader aria-label="Loading" role="status" />
  </Center>
);

export const Failure = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => (
  <Alert color="red" variant="outline" role="alert" m="md" title="This did not work">
    <Stack align="flex-start" gap="xs">
      <Text className="anywhere" size="sm" component="div">
        <FailureText error={error} />
      </Text>
      {retry === undefined ? null : (
        <Button variant="default" size="xs" onClick={retry}>
          Try again
        </Button>
      )}
    </Stack>
  </Alert>
);

export const Empty = ({ children }: { readonly children: ReactNode }) => (
  <Center p="xl">
    <Text c="dimmed">{children}</Text>
  </Center>
);

/** A view that has nothing to show to this caller. */
export const EmptyView = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <>
    <Title order={1} size="h3">
      {title}
    </Title>
    <Empty>{children}</Empty>
  </>
);

interface LoadingParts<Value> {
  readonly of: { readonly data: Value | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly children: (value: Value) => ReactNode;
}

/** What a query has loaded, or its state. */
export function Loaded<Value>({ of: { data, error, refetch }, children }: LoadingParts<Value>) {
  if (data !== undefined) return <>{children(data)}</>;
  return error === null ? <Waiting /> : <Failure error={error} retry={() => void refetch()} />;
}
