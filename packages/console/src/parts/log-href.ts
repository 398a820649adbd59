import { hrefOf } from '../route.ts';

/** The address of the view of a request's lines in the log. */
export const logHref = (request: string): string => hrefOf(['server'], { tab: 'log', request_id: request });
