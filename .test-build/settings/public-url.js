/** Where others reach this server. */ /** What `API_URL` says, without a slash at its end; undefined where it says nothing. */ export const baseUrl = ({ api_url })=>api_url?.replace(/\/+$/, '');
/** The same, or else where the server listens, as browsers of this machine reach it. @param port the one it listens on */ export function publicUrl(settings, port) {
    const { host } = settings;
    const everywhere = host === '0.0.0.0' || host === '::';
    return baseUrl(settings) ?? `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
