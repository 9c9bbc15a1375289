/** A venue of the demo. Coordinates are accurate to a few hundred metres. */
export interface DemoVenue {
  readonly name: string
  readonly english: string
  readonly address?: string
  readonly city: string
  readonly province?: string
  readonly country: string
  readonly at: readonly [latitude: number, longitude: number]
}

const inLaval = { city: 'Laval', province: 'QC', country: 'Canada' } as const

function library(name: string, address: string, at: DemoVenue['at']): DemoVenue {
  return { name: `Bibliothèque ${name}`, english: `${name} Library`, address, ...inLaval, at }
}

function park(name: string, english: string, at: DemoVenue['at']): DemoVenue {
  return { name, english, ...inLaval, at }
}

/** The venues of Laval, with the names in its calendar. */
export const LAVAL_PLACES: readonly DemoVenue[] = [
  library('Philippe-Panneton', '4747, boulevard Arthur-Sauvé', [45.549, -73.866]),
  library('Laure-Conan', '4660, boulevard des Laurentides', [45.622, -73.747]),
  library('Germaine-Guèvremont', '2900, boulevard de la Concorde Est', [45.593, -73.669]),
  library('Marius-Barbeau', '1245, montée du Moulin', [45.659, -73.591]),
  library('Gabrielle-Roy', '3505, boulevard Dagenais Ouest', [45.567, -73.802]),
  library('Sylvain-Garneau', '187, boulevard Sainte-Rose', [45.611, -73.786]),
  library('Émile-Nelligan', '325, boulevard Cartier Ouest', [45.549, -73.7]),
  library('Yves-Thériault', '670, rue de la Place-Publique', [45.529, -73.812]),
  library('Multiculturelle', '1535, boulevard Chomedey', [45.544, -73.751]),
  {
    ...{ name: 'Maison des arts de Laval', english: 'Laval House of the Arts' },
    ...{ address: '1395, boulevard de la Concorde Ouest', ...inLaval, at: [45.557, -73.72] },
  },
  {
    ...{ name: 'Hôtel de ville', english: 'City Hall' },
    ...{ address: '1, place du Souvenir', ...inLaval, at: [45.556, -73.752] },
  },
  park('Espace citoyen des Confluents', 'Confluents Community Space', [45.546, -73.869]),
  park('Centre de la nature', 'Nature Centre', [45.611, -73.658]),
  park('Centre communautaire Accès', 'Accès Community Centre', [45.557, -73.695]),
  park('Centre communautaire Le Sorbier', 'Le Sorbier Community Centre', [45.588, -73.752]),
  park('Centre communautaire Montrougeau', 'Montrougeau Community Centre', [45.573, -73.83]),
  park('Bois Papineau', 'Papineau Woods', [45.6, -73.695]),
  park('Bois source', 'Bois Source', [45.61, -73.765]),
  park('Bois de l’Équerre', 'Équerre Woods', [45.607, -73.762]),
  park('Bois Sainte-Dorothée', 'Sainte-Dorothée Woods', [45.536, -73.83]),
  park('Parc Bernard-Landry', 'Bernard-Landry Park', [45.587, -73.66]),
  park('Parc Jolibourg', 'Jolibourg Park', [45.521, -73.842]),
  park('Parc Saint-Édouard', 'Saint-Édouard Park', [45.59, -73.79]),
  park('Parc de Lausanne', 'Lausanne Park', [45.619, -73.72]),
  park('Parc Isabelle', 'Isabelle Park', [45.555, -73.85]),
  park('Parc des Coccinelles', 'Coccinelles Park', [45.63, -73.73]),
  park(
    'Parc de la Rivière-des-Mille-Îles, secteur de la berge des Baigneurs',
    'Rivière-des-Mille-Îles Park, Baigneurs shore',
    [45.617, -73.789],
  ),
]

/** The cities of conferences. The source does not name the halls. */
export const CITIES: Readonly<Record<string, DemoVenue['at']>> = {
  London: [51.5074, -0.1278],
  Berlin: [52.52, 13.405],
  Munich: [48.1372, 11.5755],
  Amsterdam: [52.3728, 4.8936],
  Paris: [48.8567, 2.3522],
  Barcelona: [41.3829, 2.1774],
  Madrid: [40.4169, -3.7035],
  Zurich: [47.3744, 8.541],
  Vienna: [48.2083, 16.3725],
  Tokyo: [35.6897, 139.6922],
  Edinburgh: [55.9533, -3.1892],
  Oslo: [59.9133, 10.7389],
  Prague: [50.0875, 14.4214],
  Lisbon: [38.7253, -9.15],
  Strasbourg: [48.5833, 7.7458],
  Montreal: [45.5089, -73.5617],
  Toronto: [43.6532, -79.3832],
  'San Francisco, CA': [37.7775, -122.4164],
  'Seattle, WA': [47.6061, -122.3328],
  'Chicago, IL': [41.8819, -87.6278],
  'Miami, FL': [25.7617, -80.1918],
  'New York, NY': [40.7127, -74.0061],
  'San Diego, CA': [32.7157, -117.1625],
  'Las Vegas, NV': [36.1672, -115.1486],
  'Denver, CO': [39.7392, -104.985],
  'Washington, DC': [38.9047, -77.0163],
  'Raleigh, NC': [35.7796, -78.6382],
}
