/** The fields of a body that is no document; none when it is no object. */ export const fieldsOf = (body)=>typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
