/** A path is password-named when one of its parts is `password` in any letter case; such values are never shown. */ /** Whether one name is `password`, in any letter case. */ export const isSecretName = (name)=>name.length === 8 && name.toLowerCase() === 'password';
/** Whether a dotted path is password-named. */ export const isSecretPath = (path)=>path.split('.').some(isSecretName);
