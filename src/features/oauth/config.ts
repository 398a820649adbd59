/**
 * The OAuth part of a config, which is checked at the start: providers, the mapping of their profiles to users, and the pages to
 * return to.
 */
import type { ConfigCheck, FeatureConfig } from '../../settings/row.ts';

/** A dotted path into a profile, or several, of which the first with a value counts. */
export type ProfilePath = string | readonly string[];

/** The paths of a profile's values. Other names are fields of the user model, which are set when a user is created. */
export interface ProfileMapping {
  /** The id at the provider. Default: `sub`, otherwise `id`. */
  readonly id?: ProfilePath;
  readonly email?: ProfilePath;
  /** Whether the provider has verified the email; `true` for a provider that only gives verified ones. */
  readonly email_verified?: ProfilePath | true;
  readonly name?: ProfilePath;
  readonly [field: string]: ProfilePath | true | undefined;
}

/** The registration of this server at a provider, and the use of its profiles. */
interface Registration {
  readonly app_id: string;
  readonly app_secret: string;
  readonly scope?: string | readonly string[];
  readonly profile?: ProfileMapping;
  /** Whether to sign in the user with the profile's email, if the provider has verified it; true by default. */
  readonly find_by_email?: boolean;
  /** Whether to create a user for an unknown profile; true by default. */
  readonly create?: boolean;
}

/** An OAuth provider, by its addresses. */
export interface OAuthProvider extends Registration {
  readonly auth_uri: string;
  readonly token_uri: string;
  /** The address of the profile, as JSON. */
  readonly api_uri: string;
  readonly issuer?: undefined;
}

/** An OpenID provider, which publishes its addresses and keys. */
export interface OidcProvider extends Registration {
  /** An https URL, or an http URL of this machine. */
  readonly issuer: string;
}

export type LoginProvider = OAuthProvider | OidcProvider;

export interface OAuthConfig {
  /** Receives `?token=`: a single-use JWT for `POST /login/jwt`, valid for 60 s. */
  readonly success_uri?: string;
  /** Receives `?error=` and `&provider=`. */
  readonly fail_uri?: string;
  readonly [provider: string]: LoginProvider | string | undefined;
}

/** Keys that are not names of providers. */
const reserved: ReadonlySet<string> = new Set(['success_uri', 'fail_uri', 'callback']);
const addresses = ['auth_uri', 'token_uri', 'api_uri'] as const;
const texts = ['app_id', 'app_secret'] as const;
const known: ReadonlySet<string> = new Set([
  ...[...addresses, 'issuer', ...texts],
  ...['scope', 'profile', 'find_by_email', 'create'],
]);
/** Fields of the user model that a profile never sets. */
const neverMapped =
  /^(admin|groups|id|__v|createdAt|updatedAt|_.*|.*password.*|__proto__|constructor|prototype|\$.*)$/i;

/** The providers by name, without inherited names. */
export const providersOf = (config: OAuthConfig | undefined): ReadonlyMap<string, LoginProvider> =>
  new Map(
    Object.entries(config ?? {}).filter((entry): entry is [string, LoginProvider] => typeof entry[1] === 'object'),
  );

/** The faults of the OAuth part of a config, one sentence each. */
export const oauthFaults: ConfigCheck<OAuthConfig> = (config) => {
  if (!isObject(config)) return ['oauth must be an object'];
  const faults: string[] = [];
  for (const key of ['success_uri', 'fail_uri'])
    if (!isAddress(config[key])) faults.push(`oauth.${key} must be a URL or a path`);
  for (const [name, provider] of Object.entries(config)) {
    if (name === 'success_uri' || name === 'fail_uri') continue;
    if (reserved.has(name) || !/^[\w.-]{1,60}$/.test(name)) faults.push(`oauth.${name} cannot be a provider's name`);
    else if (!isObject(provider)) faults.push(`oauth.${name} must be an object`);
    else faults.push(...providerFaults(provider).map((fault) => `oauth.${name}.${fault}`));
  }
  return faults;
};

function providerFaults(provider: Readonly<Record<string, unknown>>): string[] {
  const { scope, profile, find_by_email, create } = provider;
  return [
    ...addressFaults(provider),
    ...texts.filter((key) => !isText(provider[key])).map((key) => `${key} must be a string`),
    ...Object.keys(provider)
      .filter((key) => !known.has(key))
      .map((key) => `${key} is unknown; expected one of ${[...known].join(', ')}`),
    ...(scope === undefined || isPath(scope) ? [] : ['scope must be a string or a list of strings']),
    ...([find_by_email, create].some((flag) => flag !== undefined && typeof flag !== 'boolean')
      ? ['find_by_email and create must be true or false']
      : []),
    ...profileFaults(profile),
  ];
}

/** A provider has either an issuer or three addresses. */
function addressFaults(provider: Readonly<Record<string, unknown>>): string[] {
  const { issuer, scope } = provider;
  if (issuer === undefined)
    return addresses.flatMap((key) => {
      if (!isText(provider[key])) return [`${key} must be a string`];
      return isUrl(provider[key]) ? [] : [`${key} must be an http or https URL`];
    });
  const scopes = typeof scope === 'string' ? scope.split(' ') : scope;
  return [
    ...(isIssuer(issuer)
      ? []
      : ['issuer must be an https URL without query and fragment, or an http URL of localhost']),
    ...addresses.filter((key) => key in provider).map((key) => `${key} cannot be given with issuer`),
    ...(Array.isArray(scopes) && !scopes.includes('openid') ? ['scope must contain openid'] : []),
  ];
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Whether a value can be an issuer (OpenID Connect Discovery 1.0, 3); this machine is reached without TLS too. */
function isIssuer(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username } = new URL(value);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return (
    search === '' && hash === '' && username === '' && (protocol === 'https:' || (protocol === 'http:' && isLocal))
  );
}

function profileFaults(profile: unknown): string[] {
  if (profile === undefined) return [];
  if (!isObject(profile)) return ['profile must be an object of paths'];
  return Object.entries(profile).flatMap(([field, path]) => {
    const isFlag = field === 'email_verified' && path === true;
    if (!isPath(path) && !isFlag) return [`profile.${field} must be a path or a list of paths`];
    return field !== 'id' && neverMapped.test(field) ? [`profile.${field} cannot be set by a profile`] : [];
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPath = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
const isUrl = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
/** Whether a value is a URL, possibly with an app's own scheme, or a path on this server's origin. */
const isAddress = (value: unknown): boolean =>
  typeof value === 'string' &&
  !/^\s*(javascript|data|vbscript):/i.test(value) &&
  (URL.canParse(value) || /^\/(?!\/)/.test(value));

export const oauthConfig = { sections: { oauth: oauthFaults } } as const satisfies FeatureConfig;
