/** Hotels and travels, as applications on disk. */
import type { Project } from './project.ts';

const hotel: Project = {
  name: 'a hotel of 2020, with an index file, numbers of a sequence and hashes by callbacks',
  folder: 'hotel/models',
  warnings: [],
  models: { Room: 'room', Guest: 'guest', Booking: 'booking' },
  steps: [
    { post: 'Room', as: 'r', body: { number: 101, price: { amount: 80 }, amenities: ['tv'], beds: [[1, '2'], []] } },
    { post: 'Room', body: { number: 101, price: { amount: 80 } } },
    { post: 'Room', body: { number: 202 } },
    { post: 'Room', body: { number: 202, price: { amount: 1 }, type: 'hall' } },
    {
      post: 'Room',
      as: 's',
      body: { number: '202', price: { amount: 120.5, currency: 'CHF' }, type: 'suite', floor: 3 },
    },
    { put: 's', body: { 'price.amount': 130 } },
    { put: 's', body: { price: null } },
    { post: 'Guest', as: 'g', body: { name: 'Gu', passport: 'P1234', pin: '1234' } },
    { post: 'Guest', as: 'h', body: { name: 'Hu', pin: '5', vip: 'yes' } },
    { post: 'Guest', body: { name: 'Iu', pin: '6', passport: 'P' } },
    { post: 'Guest', body: { name: 'Ju' } },
    { put: 'h', body: { vip: false, passport: 'P12345678' } },
    { put: 'h', body: { passport: 'P123456789' } },
    {
      post: 'Booking',
      as: 'b',
      body: {
        room: '@r',
        guests: ['@g'],
        checkIn: '2026-05-01',
        checkOut: '2026-05-04',
        extras: { bath: { price: 5 }, bike: { price: '10', times: 2 } },
      },
    },
    { post: 'Booking', body: { room: '@s', guests: [], checkIn: '2026-05-01', checkOut: '2026-05-04' } },
    { post: 'Booking', body: { room: '@s', guests: ['@g'], checkIn: '2026-05-04', checkOut: '2026-05-01' } },
    {
      post: 'Booking',
      as: 'c',
      body: { room: '@s', guests: ['@g', '@h'], checkIn: '2026-05-01', checkOut: '2026-05-02' },
    },
    { post: 'Booking', body: { room: '@r', guests: ['@h'], checkIn: '2026-05-01', checkOut: '2026-05-02' } },
    { put: 'b', body: { 'extras.bath.times': 3 } },
    { put: 'b', body: { extras: { bed: { times: 1 } } } },
    { put: 'c', body: { checkOut: '2026-05-05' } },
    { put: 'c', body: { guests: ['@g', '@g', '@g', '@h', '@h'] } },
    { put: 'g', body: { visits: ['@b', '@c'] } },
    { find: 'Booking', where: { nights: 4 } },
    { find: 'Room', where: { 'price.currency': 'CHF' } },
    { populate: 'Booking', path: 'room' },
    { populate: 'Booking', path: 'guests' },
    { populate: 'Guest', path: 'visits' },
    { delete: 'c' },
    { find: 'Booking', where: { bookingId: 1000 } },
  ],
};

const square = [
  [
    [0, 0],
    [0, 4],
    [4, 4],
    [0, 0],
  ],
];
const travel: Project = {
  name: 'travels of 2025, of TypeScript modules, with types of GeoJSON',
  folder: 'travel/src/models',
  warnings: ['place: Mongoose ignores min of rating (Double), max of rating (Double)'],
  models: { Place: 'place', Trip: 'trip' },
  steps: [
    {
      post: 'Place',
      as: 'g',
      body: { name: 'Graz', country: 'at', position: { type: 'Point', coordinates: [15.4, 47] } },
    },
    { post: 'Place', body: { name: 'Graz', country: 'at' } },
    { post: 'Place', body: { name: 'Graz', country: 'de', position: { type: 'Point', coordinates: [15.4, 47] } } },
    { post: 'Place', body: { name: 'Far', country: 'at', position: { type: 'Point', coordinates: ['far'] } } },
    { post: 'Place', body: { name: 'Line', country: 'at', position: { type: 'LineString', coordinates: [1, 2] } } },
    {
      post: 'Place',
      as: 'r',
      body: {
        name: 'Rome',
        country: 'it',
        position: { type: 'Point', coordinates: [12.5, 41.9] },
        area: { type: 'Polygon', coordinates: square },
        rating: 4.5,
        open: [
          [9, 12],
          ['14', 18],
        ],
      },
    },
    {
      post: 'Place',
      body: { name: 'Rome', country: 'it', position: { type: 'Point', coordinates: [1, 2] }, rating: 6 },
    },
    { put: 'g', body: { rating: '3.25', position: { type: 'Point', coordinates: [15.5, 47.1] } } },
    {
      put: 'g',
      body: {
        area: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 1],
            ],
          ],
        },
      },
    },
    { put: 'r', body: { area: null, open: [] } },
    {
      post: 'Trip',
      as: 't',
      body: { title: 'T', legs: [{ from: '@g', to: '@r', km: '850.5' }], budget: '900.10', stars: 5 },
    },
    { post: 'Trip', body: { title: 'T', legs: [{ from: '@g', to: '@g', km: 1 }] } },
    { post: 'Trip', body: { title: 'T', legs: [{ from: '@g', km: 1 }] } },
    { post: 'Trip', body: { title: 'T', stars: 6 } },
    { post: 'Trip', as: 'u', body: { title: 'U', companions: [{ name: 'Ann', shares: { fuel: '0.5' } }] } },
    { put: 't', body: { 'legs.0.km': 900 } },
    { put: 't', body: { 'legs.0.km': 0 } },
    { put: 't', body: { 'legs.0.to': '@g' } },
    { put: 'u', body: { 'companions.0.shares.food': 1, stars: null } },
    { put: 'u', body: { 'companions.0.shares.food': 'half' } },
    { find: 'Place', where: { country: 'it' } },
    { find: 'Trip', where: { km: 900 } },
    { populate: 'Trip', path: 'legs.from' },
    { delete: 'u' },
    { delete: 'r' },
    { find: 'Trip', where: { stars: 5 } },
  ],
};

export const journeys: readonly Project[] = [hotel, travel];
