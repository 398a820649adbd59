/** The environment variables of JXP: those that mean a setting of Dossier by another name stop the start. */
type Environment = Readonly<Record<string, string | undefined>>;

interface Renamed {
  readonly names: readonly string[];
  /** The setting that means the same. */
  readonly setting: string;
  readonly how?: string;
}

/** JXP's variables by the settings that have taken their place. Those with the same name and meaning are not listed. */
export const renamedVariables: readonly Renamed[] = [
  { names: ['MONGO_CONNECTION_STRING'], setting: 'MONGODB_URL' },
  {
    names: [
      'MONGODB_HOST',
      'MONGODB_PORT',
      'MONGODB_NAME',
      'MONGODB_USER',
      'MONGODB_PASSWORD',
      'MONGODB_PASS',
      'MONGODB_AUTH_DB',
    ],
    setting: 'MONGODB_URL',
    how: 'mongodb://<user>:<password>@<host>:<port>/<name>?authSource=<auth db>',
  },
  { names: ['MONGO_OPTIONS'], setting: 'MONGODB_URL', how: 'options of the driver are in its query' },
  { names: ['MODEL_DIR'], setting: 'MODELS_DIR' },
  { names: ['API_SERVER'], setting: 'API_URL' },
  { names: ['NODE_DOCKER_PORT'], setting: 'PORT' },
  { names: ['THROTTLE_JSON'], setting: 'THROTTLE_MAX', how: 'with THROTTLE_WINDOW_MS' },
  { names: ['LOGIN_RATE_BURST', 'LOGIN_RATE_PER_MINUTE'], setting: 'LOGIN_THROTTLE_MAX' },
  { names: ['LOGIN_RATE_LIMIT_XFF'], setting: 'TRUST_PROXY' },
];

/** A sentence for each variable of JXP whose setting is not set; both names may stand beside each other. */
export const variableFaults = (environment: Environment): readonly string[] =>
  renamedVariables.flatMap(({ names, setting, how }) =>
    isSet(environment, setting)
      ? []
      : names
          .filter((name) => isSet(environment, name))
          .map(
            (name) => `${name} is a setting of JXP: set ${setting} in its place${how === undefined ? '' : ` (${how})`}`,
          ),
  );

const isSet = (environment: Environment, name: string): boolean => (environment[name] ?? '') !== '';
