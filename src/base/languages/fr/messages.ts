import type { Messages } from '../en/messages.ts'
import { importMessages } from './messages.imports.ts'
import { recurrenceMessages } from './messages.recurrence.ts'
import { seriesMessages } from './messages.series.ts'

/** Les messages en français du Canada, sous les mêmes clés qu’en anglais. */
export const messages: Messages = {
  rest_no_route: 'Aucune route ne correspond à cette adresse et à cette méthode.',
  rest_invalid_json: 'Le corps de la requête n’est pas du JSON valide.',
  rest_missing_callback_param: { one: 'Paramètre manquant : {names}.', other: 'Paramètres manquants : {names}.' },
  rest_invalid_param: { one: 'Paramètre non valide : {names}.', other: 'Paramètres non valides : {names}.' },
  rest_callback_invalid: 'Le nom de la fonction JSONP ne peut contenir que des lettres, des chiffres, « _ » et « . ».',
  rest_invalid_namespace: 'Cet espace de noms n’existe pas.',
  rest_bad_request: 'La requête n’est pas du HTTP valide.',
  rest_request_too_large: 'La requête dépasse la taille que le service accepte.',
  'rest_request_too_large.items':
    'Le corps contient plus d’éléments que le service n’en accepte : au plus 1 000 paramètres, ou 20 000 valeurs de JSON sur 32 niveaux. Envoyez-les en plusieurs requêtes.',
  'rest_request_too_large.lines':
    'Une importation compte au plus 200 000 lignes. Envoyez les autres dans une autre requête.',
  'rest_request_too_large.recording':
    'Un enregistrement compte au plus 10 000 fiches, et 400 000 valeurs de JSON sur 32 niveaux. Envoyez-le en plusieurs requêtes.',
  rest_request_timeout: 'La requête n’est pas arrivée à temps.',
  rest_uri_too_long: 'L’adresse est plus longue que ce que le service accepte.',
  rest_unknown_host: 'Ce service ne répond pas à ce nom d’hôte.',
  rest_too_many_requests: 'Trop de requêtes. Veuillez réessayer plus tard.',
  rest_headers_too_large: 'Les en-têtes dépassent la taille que le service accepte.',
  rest_forbidden: 'Vous n’avez pas le droit d’effectuer cette opération.',
  'rest_forbidden.visitor':
    'Connectez-vous pour effectuer cette opération : envoyez l’en-tête Authorization avec Basic, votre nom d’utilisateur et un mot de passe d’application, ou avec Bearer et une clé.',
  'rest_forbidden.credentials':
    'Ces identifiants sont inconnus ici. Envoyez l’en-tête Authorization avec Basic, votre nom d’utilisateur et un mot de passe d’application, ou avec Bearer et une clé.',
  rest_cookie_invalid_nonce: 'Le jeton à usage unique (nonce) n’est pas valide.',
  incorrect_password:
    'Le nom d’utilisateur ou le mot de passe d’application est erroné. Le mot de passe d’un compte ne fonctionne pas ici : créez un mot de passe d’application (une clé).',
  'incorrect_password.key': 'Cette clé n’est pas valide : elle est inconnue, expirée ou révoquée.',
  internal_server_error: 'Une erreur s’est produite de notre côté.',
  json_syntax: 'Erreur de syntaxe',
  json_encoding: 'Caractères UTF-8 mal formés',
  service_unavailable: 'Le service ne peut pas répondre pour l’instant. Veuillez réessayer sous peu.',
  'query-too-dear':
    'Cette requête prend trop de temps. Choisissez une période plus courte, cherchez moins de mots ou des mots plus longs, ou demandez moins de données à la fois.',

  'rest-invalid-event-id': 'Cet identifiant n’est pas celui d’un événement.',
  'rest-event-not-found': 'Cet événement n’existe pas.',
  'event-not-accessible': 'Vous n’avez pas accès à cet événement.',
  'event-password-protected': 'Cet événement est protégé par un mot de passe.',
  'event-no-longer-available': 'Cet événement n’est plus disponible.',
  'event-archive-page-not-found': 'La liste des événements n’a pas autant de pages.',
  'event-is-over': 'Cet événement est terminé. On peut seulement l’annuler, s’il n’a pas eu lieu.',
  'event-is-in-trash': 'Cet événement est déjà dans la corbeille.',
  'could-not-create-venue': 'Ces renseignements ne permettent pas de créer le lieu.',
  'could-not-update-venue': 'Ces renseignements ne permettent pas de modifier le lieu.',
  'venue-not-accessible': 'Vous n’avez pas accès à ce lieu.',
  'venue-archive-page-not-found': 'La liste des lieux n’a pas autant de pages.',
  'venue-is-in-trash': 'Ce lieu est déjà dans la corbeille.',
  'could-not-create-organizer': 'Ces renseignements ne permettent pas de créer l’organisateur.',
  'could-not-update-organizer': 'Ces renseignements ne permettent pas de modifier l’organisateur.',
  'organizer-not-accessible': 'Vous n’avez pas accès à cet organisateur.',
  'organizer-archive-page-not-found': 'La liste des organisateurs n’a pas autant de pages.',
  'organizer-is-in-trash': 'Cet organisateur est déjà dans la corbeille.',

  ml_translation_exists: 'Il existe déjà une traduction dans cette langue.',

  'media-not-found': 'Aucune image ne porte cet identifiant.',
  'media-in-use': 'Cette image est encore utilisée. Ajoutez force=true pour la supprimer quand même.',
  'media-no-file':
    'Envoyez l’image dans le champ « file » d’un formulaire, ou comme corps de la requête avec un en-tête Content-Disposition.',
  'media-refused': 'Ce fichier ne peut pas servir d’image.',

  'sign-in-failed': 'Le nom d’utilisateur ou le mot de passe est erroné.',
  'current-password-wrong': 'Le mot de passe actuel est erroné.',
  'user-not-found': 'Aucun utilisateur ne porte cet identifiant.',
  'user-exists': 'Un utilisateur porte déjà ce nom ou a déjà cette adresse de courriel.',
  'user-has-records': 'Cet utilisateur possède des éléments et n’a pas été supprimé.',
  'last-administrator': 'Il doit rester au moins un compte administrateur.',
  'key-not-found': 'Aucune clé ne porte cet identifiant.',
  'too-many-views': 'Vous avez déjà 50 vues enregistrées, le nombre maximal. Supprimez-en une qui ne sert plus.',
  'too-many-keys': 'Cet utilisateur a déjà le nombre maximal de clés. Révoquez-en une qui ne sert plus.',
  'beyond-own-key':
    'Ceci durerait plus longtemps que votre clé, qui expire. Utilisez une clé qui n’expire pas, ou ouvrez une session dans un navigateur.',
  'beyond-key-scope':
    'Cette clé a la portée « read » et ne permet donc pas d’écrire. Utilisez une clé de portée « write », ou « plan » pour essayer une écriture sans effet.',
  'session-required':
    'Pour faire cela, ouvrez une session dans un navigateur ou passez par la ligne de commande. Une clé ne suffit pas.',
  'session-not-found': 'Aucune session ne porte cet identifiant.',
  'link-not-valid':
    'Ce lien n’est pas valide. Vérifiez qu’il est complet ou demandez-en un nouveau à un administrateur.',
  'link-not-valid.used':
    'Ce lien a déjà servi. Connectez-vous avec votre mot de passe ou demandez un nouveau lien à un administrateur.',
  'link-not-valid.expired': 'Ce lien est expiré. Demandez-en un nouveau à un administrateur.',

  'quota-exceeded':
    'Vos fiches que personne n’a publiées remplissent l’espace dont vous disposez. Supprimez-en définitivement avec force=true ou demandez à un réviseur d’en publier.',
  'source-of-another-user': 'Cette source appartient à une autre personne.',
  'external-id-not-found': 'Cette source n’a rien envoyé avec cet identifiant.',
  'external-id-exists': 'Cette source a déjà envoyé quelque chose avec cet identifiant.',
  'merge-not-found': 'Aucune fusion qui peut encore être annulée n’a cet identifiant.',
  'cancellation-not-found':
    'Aucune annulation de plusieurs événements qu’on puisse encore défaire n’a cet identifiant.',

  'sync-expired':
    'Le journal des changements ne contient plus ce qu’il vous faut : il commence plus tard, ou la base de données a été restaurée. Relisez tout, sans « after ».',
  'record-not-found': 'Cet élément n’existe pas.',
  'record-not-in-trash': 'Cet élément n’est pas dans la corbeille.',
  'batch-failed': 'Une opération a échoué; aucune n’a donc été conservée. Les résultats disent laquelle et pourquoi.',
  'batch-too-long':
    'Le lot a pris trop de temps; cette opération n’a donc pas été faite. Renvoyez-la dans un lot plus petit.',
  'batch-operation-refused': 'Cette opération ne peut pas faire partie d’un lot. Envoyez-la seule.',
  'batch-reference-failed': 'Une opération à laquelle celle-ci renvoie a échoué ou n’a donné aucun identifiant.',
  'picture-not-fetched':
    'Les images ne sont pas téléchargées dans un lot, et seule la première l’est quand une requête est seulement essayée. Ajoutez d’abord l’image et envoyez son identifiant.',
  'idempotency-key-invalid': 'Une clé Idempotency-Key compte de 1 à 255 caractères visibles, comme un UUID.',
  'idempotency-key-reused':
    'Cette clé Idempotency-Key a déjà servi à une autre requête. Employez une nouvelle clé pour chaque écriture, et la même clé seulement pour la répéter.',
  'precondition-failed':
    'Quelqu’un a modifié ou supprimé cet élément depuis que vous l’avez lu. Relisez-le, puis renvoyez votre modification avec la nouvelle version dans If-Match.',
  'precondition-failed.exists':
    'Un élément avec cet identifiant d’adresse existe déjà, alors que If-None-Match exige qu’il n’y en ait aucun.',
  'precondition-required':
    'Ce serveur ne modifie un élément que si l’en-tête If-Match contient la version que vous avez lue : la valeur de ETag ou de X-Record-Version.',

  term_exists: 'Un terme porte déjà ce nom.',
  rest_taxonomy_not_hierarchical: 'Les étiquettes n’ont pas de parent.',
  empty_term_name: 'Un terme doit avoir un nom.',
  db_insert_error: 'Le nom est trop long : 200 caractères au plus.',
  duplicate_term_slug: 'Un autre terme porte cet identifiant d’adresse.',
  oembed_invalid_url: 'Aucun événement n’a sa page à cette adresse.',

  'fault.invalid': '« {name} » n’est pas valide.',
  'fault.unknown-parameter': '« {name} » est inconnu ici. Paramètres connus : {allowed}.',
  'fault.no-effect': '« {name} » n’a aucun effet avec les autres valeurs de cette requête.',
  'fault.adjusted': '« {name} » ne serait pas conservé tel quel : la valeur deviendrait « {value} ».',
  'fault.partly': '« {name} » contient des éléments qui seraient laissés de côté.',
  'fault.string': '« {name} » doit être un texte.',
  'fault.alt-texts':
    '« {name} » doit contenir des textes par langue ({allowed}), par exemple fr-CA : Une affiche rouge.',
  'fault.list': '« {name} » doit être une liste, par exemple 4,8 ou [4,8].',
  'fault.names':
    '«\u00a0{name}\u00a0» doit contenir des noms d’au plus {most} caractères ou des identifiants, par exemple [12, 34].',
  'fault.doubles':
    '«\u00a0{name}\u00a0» doit contenir des événements, chacun avec «\u00a0title\u00a0» et «\u00a0start_date\u00a0», par exemple Salon du livre et 2030-03-05 19:30:00.',
  'fault.links':
    '« {name} » doit contenir des adresses d’au plus {most} caractères, par exemple https://example.org/billets.',
  'fault.ids': '« {name} » doit être une liste d’identifiants, par exemple 4,8 ou [4,8].',
  'fault.number-between': '« {name} » doit être un nombre de {least} à {most}.',
  'fault.text': '« {name} » doit être un texte non vide.',
  'fault.whole-number': '« {name} » doit être un nombre entier plus grand que zéro, par exemple 12.',
  'fault.date': '« {name} » doit être une date ou une heure, par exemple 2030-01-31 19:00:00.',
  'fault.timezone':
    '« {name} » doit être le nom d’un fuseau horaire, comme America/Toronto, ou un décalage, comme UTC-5.',
  'fault.url':
    '« {name} » doit être une adresse complète, par exemple https://example.org/. Protocoles permis : {schemes}.',
  'fault.status': '« {name} » doit être un état que vous pouvez utiliser ici : {allowed}.',
  'fault.too-long': '« {name} » doit compter au plus {most} Ko de texte.',
  'fault.too-much-text':
    'Réduisez « {name} » : ces événements comptent ensemble plus de {most} millions de caractères de texte.',
  'fault.too-many': '« {name} » doit compter au plus {most} éléments.',
  'fault.too-many-pictures':
    '« {name} » peut avoir au plus {most} images à récupérer. Téléversez d’abord les autres, puis envoyez leurs identifiants.',
  'fault.blank': '« {name} » ne doit pas être vide.',
  'fault.between': '« {name} » doit être un nombre entier de {least} à {most}.',
  'fault.length': '« {name} » doit compter de {least} à {most} caractères.',
  'fault.batch.operations': 'Envoyez « {name} » comme une liste d’au moins une opération.',
  'fault.batch.operation': 'L’opération {place} n’est pas un objet.',
  'fault.batch.member': 'L’opération {place} contient « {member} », qui est inconnu. Sont connus : {allowed}.',
  'fault.batch.method': 'La méthode de l’opération {place} doit être l’une de celles-ci : {allowed}.',
  'fault.batch.path': 'Le chemin de l’opération {place} doit commencer par « / » et n’avoir aucune requête.',
  'fault.batch.body': 'Le corps de l’opération {place} doit être un objet.',
  'fault.batch.ref':
    'Le « ref » de l’opération {place} doit compter de 1 à 64 lettres, chiffres, « . », « - » ou « _ ».',
  'fault.batch.ref-twice': 'L’opération {place} a le même « ref » qu’une opération précédente : « {ref} ».',
  'fault.batch.reference': 'L’opération {place} renvoie à « {ref} », qu’aucune opération précédente ne porte.',
  'fault.batch.condition': 'Envoyez « {member} » de l’opération {place} comme un texte ou un nombre.',
  'fault.beyond-key-scope': '« {name} » ne doit pas dépasser la portée de la clé utilisée, soit « {scope} ».',
  'fault.only-in-query': 'Envoyez « {name} » dans l’adresse, et non dans le formulaire.',
  'fault.beyond-key': '« {name} » ne doit pas dépasser l’expiration de la clé utilisée, soit {until}.',
  'fault.user-name':
    '« {name} » doit compter de 1 à 60 caractères, sans deux-points, et sans espace au début ni à la fin.',
  'fault.email': '« {name} » doit être une adresse de courriel, par exemple ada@example.org.',
  'fault.unknown-user': '« {name} » doit être l’identifiant d’un utilisateur.',
  'fault.unknown-event': '« {name} » doit être l’identifiant d’un événement auquel vous avez accès.',
  'fault.unknown-series': '« {name} » doit contenir des identifiants de séries existantes, par exemple `812`.',
  'fault.unknown-venue': '« {name} » doit désigner un lieu existant.',
  'fault.unknown-organizer': '« {name} » doit désigner un organisateur existant.',
  'fault.venue-link':
    '« {name} » doit être l’identifiant d’un lieu existant, par exemple 12, ou un objet avec les champs d’un nouveau lieu.',
  'fault.venue-name': 'Le nom du nouveau lieu manque : envoyez-le dans « venue.venue ».',
  'fault.organizer-link':
    '« {name} » doit être l’identifiant d’un organisateur existant, par exemple 12, ou un objet avec les champs d’un nouvel organisateur.',
  'fault.organizer-name': 'Le nom du nouvel organisateur manque : envoyez-le dans « organizer.organizer ».',
  'fault.unknown-category':
    '« {name} » doit désigner des catégories existantes : identifiants, identifiants d’adresse ou noms, par exemple 4 ou musique.',
  'fault.unknown-tag':
    '« {name} » doit désigner des étiquettes existantes : identifiants, identifiants d’adresse ou noms, par exemple 4 ou plein-air.',
  'fault.picture.unknown-format': '« {name} » doit être une image : JPEG, PNG, WebP, GIF ou AVIF.',
  'fault.picture.broken': '« {name} » est une image endommagée ou incomplète.',
  'fault.picture.too-many-pixels': '« {name} » compte plus de {most} millions de pixels, le maximum pour son format.',
  'fault.picture.too-slow': 'Le traitement de « {name} » prend trop de temps. Réduisez la taille de l’image.',
  'fault.picture.too-demanding':
    '« {name} » ne peut pas être traité. Enregistrez l’image avec un autre logiciel, ou réduisez-la.',
  'fault.picture.polyglot': '« {name} » contient autre chose qu’une image.',
  'fault.outbound.address': '« {name} » doit être une adresse http ou https de l’Internet public.',
  'fault.outbound.redirects': '« {name} » est redirigée trop de fois.',
  'fault.outbound.too-large': '« {name} » dépasse 15 Mo.',
  'fault.outbound.too-slow': '« {name} » n’a pas répondu à temps.',
  'fault.outbound.answer': '« {name} » n’a pas renvoyé de fichier.',
  'fault.outbound.unreachable': '« {name} » est injoignable.',
  'fault.unknown-image':
    '« {name} » doit être l’identifiant d’une image, par exemple 34, ou, si vous pouvez ajouter des images, l’adresse d’une image.',
  'fault.translation-of': '« {name} » doit être l’identifiant d’un élément du même genre.',
  'fault.parent-loop': 'Une catégorie ne peut pas être sa propre catégorie parente, même indirectement.',
  'fault.coordinates': 'La latitude et la longitude vont ensemble : envoyez les deux, ou aucune.',
  'fault.type.string': '« {name} » doit être un texte, entre guillemets en JSON; null n’en est pas un.',
  'fault.type.integer': '« {name} » doit être un nombre entier, par exemple 12.',
  'fault.type.boolean': '« {name} » doit être true ou false.',
  'fault.reschedule':
    '« {name} » doit indiquer le nouveau début de l’événement, par exemple 2030-01-31 19:00:00, pour que sa date puisse changer.',
  'fault.reason': '« {name} » explique un état. Envoyez aussi « event_status », par exemple canceled.',
  'fault.where':
    '« {name} » doit indiquer de quels événements il s’agit : un objet avec « to » ou « event », et rien d’autre que {allowed}.',
  'fault.where-date':
    '« {name} » doit être un jour ou une heure locale, par exemple 2030-01-31 ou 2030-01-31 19:00:00.',
  'fault.where-days': '« {name} » doit suivre « where.from » d’au plus {most} jours, et ne pas le précéder.',
  'fault.merge-itself': '« {name} » doit désigner une autre fiche, et non une de ses traductions.',
  'fault.merge-unpublished':
    '« {name} » désigne une fiche qui n’est pas publique, alors que ses événements le seraient. Publiez-la d’abord.',
  'fault.too-many-events': '« {name} » désigne {count} événements. Une requête en modifie au plus {most}.',
  'fault.offers': '« {name} » doit être une liste d’objets en JSON.',
  'fault.offer-price':
    '« {name} » doit être un nombre, par exemple 10 ou 12.50, et ne pas être inférieur au prix le plus bas.',
  'fault.offer-window': '« {name} » ne doit pas précéder le début de la vente.',
  'fault.currency': '« {name} » doit être le code d’une devise, par exemple CAD.',
  'fault.view-name': 'Vous avez déjà une vue de ce nom. Choisissez-en un autre, comme «\u00a0Révisions de mai\u00a0».',
  'fault.source':
    '« {name} » doit avoir de 1 à 64 lettres minuscules, chiffres et traits d’union, par exemple osheaga.',
  'fault.external-id':
    '« {name} » doit être un texte de 1 à {most} caractères, sans caractère de contrôle et sans espace aux extrémités.',
  'fault.unknown-external-id': '« {name} » doit nommer ce que l’une de vos sources a envoyé, par son external_id.',
  'fault.instant': '« {name} » doit être un moment avec son décalage, par exemple 2030-01-15T12:00:00Z.',
  'fault.past': '« {name} » doit être un moment passé.',
  'fault.only-events': '« {name} » doit être event : rien d’autre ne peut être annulé.',
  'fault.reasons': '« {name} » doit être un texte, ou des textes par langue : {allowed}.',
  'fault.virtual-source': '« {name} » doit être le nom court d’un service, par exemple zoom.',
  'fault.enum': '« {name} » doit être l’une des valeurs suivantes : {allowed}.',
  'fault.words':
    '« {name} » doit être une ou plusieurs des valeurs suivantes, séparées par des virgules, comme {example} : {allowed}.',
  ...recurrenceMessages,
  ...seriesMessages,
  ...importMessages,
}
