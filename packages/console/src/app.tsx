/** The console: what all views share, and the one that is shown. */
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { KeptColours } from './colours.tsx';
import { nonce } from './nonce.ts';
import { ConnectionNotice } from './parts/connection-notice.tsx';
import { NoticeRoom } from './parts/notice-room.ts';
import { Gate } from './session/gate.tsx';
import { theme, variables } from './theme.ts';

/** The client of the API repeats what is safe by itself, so a failure here is the server's answer. */
const queries = new QueryClient({
  // a browser that is offline may reach a server near to it
  defaultOptions: { queries: { retry: false, staleTime: 5000, networkMode: 'always' } },
});

export const App = () => (
  <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={nonce}>
    <QueryClientProvider client={queries}>
      <KeptColours />
      <Notifications position="bottom-right" />
      <NoticeRoom />
      <Gate />
      <ConnectionNotice />
    </QueryClientProvider>
  </MantineProvider>
);
