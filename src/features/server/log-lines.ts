/** The last lines of the log of all processes of a server. */
import type { Core, Services } from '../../core.ts';
import type { ServerJson } from '../../policy/shaped.ts';

/** A line as the log has it. `id` or `request_id` is that of the request that it is about. */
type Line = Readonly<Record<string, ServerJson>>;

class LogLines {
  constructor(private readonly services: Pick<Services, 'shared' | 'log'>) {
    services.shared.onMessage('log lines', () => services.log.recent());
  }

  /** The lines in the order of their times. @param request the id of a request; all lines by default */
  async about(request: string | undefined): Promise<readonly Line[]> {
    const others = await this.services.shared.broadcast('log lines', undefined);
    const texts = [...this.services.log.recent(), ...others.flat()];
    const about = request === undefined ? texts : texts.filter((text) => text.includes(JSON.stringify(request)));
    const lines = about.map((text) => JSON.parse(text) as Line);
    return lines
      .filter(({ id, request_id }) => request === undefined || id === request || request_id === request)
      .sort((a, b) => String(a['time']).localeCompare(String(b['time'])));
  }
}

export const logLines = ({ services }: Core): LogLines => new LogLines(services);
