import mongoose from 'mongoose';

const url = process.env.HOSTEL_DB ?? 'mongodb://localhost:27017/hostel';

export const connection = mongoose.createConnection(url, { maxPoolSize: 5 });

connection.on('error', (error) => console.error(error));

export default connection;
