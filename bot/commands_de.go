package bot

import "tradepost/core"

// germanCategories are the professions that have another name in German: those of the game as it comes.
var germanCategories = map[core.Category]string{
	"Forager": "Sammler", "Fisher": "Fischer", "Chef": "Koch", "Alchemist": "Alchemist", "Botanist": "Botaniker",
	"Woodcutter": "Holzfäller", "Carpenter": "Zimmermann", "Miner": "Bergmann", "Bonewright": "Knochenschnitzer",
	"Blacksmith": "Schmied", "Stonemason": "Steinmetz", "Detective": "Detektiv", "Leatherworker": "Lederer",
	"Merchant": "Händler", "Combat": "Kampf",
}

// germanChoices are the fixed words that have another name in German.
var germanChoices = map[string]string{
	"low": "Niedrig", "medium": "Mittel", "high": "Hoch", "urgent": "Dringend",
	"newest": "Neueste zuerst", "price": "Bester Stückpreis zuerst", "total": "Bester Gesamtpreis zuerst", "ending": "Bald endende zuerst",
	"active": "Offen", "fulfilled": "Abgeschlossen", "expired": "Abgelaufen",
}

// germanCommands are the commands and options in German.
var germanCommands = map[string]named{
	"request":                     {"gesuch", "Gegenstände suchen und dich um deine Gesuche kümmern"},
	"request post":                {"einstellen", "Einen Gegenstand suchen: du siehst es zuerst, und nichts erscheint, bevor du es sagst"},
	"request post item":           {"gegenstand", "Was du brauchst, wie es im Spiel heißt"},
	"request post quantity":       {"menge", "Wie viele du brauchst"},
	"request post price":          {"preis", "Was du höchstens pro Stück zahlst, etwa {amount}"},
	"request post category":       {"kategorie", "Der Beruf, zu dem es gehört (sonst {profession})"},
	"request post importance":     {"dringlichkeit", "Wie bald du es brauchst (sonst mittel)"},
	"request post level":          {"stufe", "Die Stufe, die ein Verkäufer braucht (sonst jede)"},
	"request post description":    {"beschreibung", "Was ein Verkäufer wissen sollte; der Knopf Ändern hat mehr Platz"},
	"request post contact":        {"kontakt", "An wen Verkäufer auf Discord schreiben (sonst du)"},
	"request post ign":            {"spielname", "Dein Name im Spiel"},
	"request post signed-in-only": {"nur-angemeldete", "Nur Angebote angemeldeter Verkäufer, keine von Besuchern der Seite"},

	"request browse":            {"stöbern", "Durchsehen, was gesucht wird"},
	"request browse category":   {"kategorie", "Nur dieser Beruf"},
	"request browse search":     {"suche", "Wörter im Gegenstand oder in der Beschreibung"},
	"request browse importance": {"dringlichkeit", "Nur Gesuche dieser Dringlichkeit"},
	"request browse level":      {"stufe", "Deine Stufe: nur was du erfüllen kannst"},
	"request browse min-price":  {"mindestpreis", "Nur was mindestens so viel pro Stück zahlt, etwa {coin}"},
	"request browse max-price":  {"höchstpreis", "Nur was höchstens so viel pro Stück zahlt"},
	"request browse sort":       {"sortierung", "Was zuerst kommt (sonst die neuesten)"},

	"request show":         {"zeigen", "Ein Gesuch zeigen, dir oder dem ganzen Kanal"},
	"request show request": {"gesuch", "Tipp den Gegenstand und wähl es aus"},
	"request show share":   {"teilen", "Allen hier zeigen, mit einem Knopf zum Anbieten"},
	"request mine":         {"meine", "Deine eigenen Gesuche, jedes mit seinem Menü"},
	"request mine status":  {"stand", "Welche davon (sonst die offenen)"},

	"request edit":                {"ändern", "Eines deiner Gesuche ändern; nenn nichts, um ein Menü zu bekommen"},
	"request edit request":        {"gesuch", "Welches deiner Gesuche: tipp den Gegenstand"},
	"request edit item":           {"gegenstand", "Was du brauchst"},
	"request edit quantity":       {"menge", "Wie viele du insgesamt brauchst, mit den schon verkauften"},
	"request edit price":          {"preis", "Was du höchstens pro Stück zahlst; frühere Angebote behalten ihren"},
	"request edit category":       {"kategorie", "Der Beruf, zu dem es gehört"},
	"request edit importance":     {"dringlichkeit", "Wie bald du es brauchst"},
	"request edit level":          {"stufe", "Die Stufe, die ein Verkäufer braucht; 0 für jede"},
	"request edit description":    {"beschreibung", "Was ein Verkäufer wissen sollte; - für nichts"},
	"request edit contact":        {"kontakt", "An wen Verkäufer auf Discord schreiben; - für dich"},
	"request edit ign":            {"spielname", "Dein Name im Spiel; - für keinen"},
	"request edit signed-in-only": {"nur-angemeldete", "Nur Angebote angemeldeter Verkäufer, keine von Besuchern der Seite"},

	"request close":          {"schließen", "Eines deiner Gesuche beenden, bevor es erfüllt ist"},
	"request close request":  {"gesuch", "Welches deiner Gesuche: tipp den Gegenstand"},
	"request renew":          {"verlängern", "Eines deiner Gesuche weitere 365 Tage zeigen"},
	"request renew request":  {"gesuch", "Welches deiner Gesuche: tipp den Gegenstand"},
	"request delete":         {"löschen", "Eines deiner Gesuche mit seinen Angeboten löschen"},
	"request delete request": {"gesuch", "Welches deiner Gesuche: tipp den Gegenstand"},

	"offer":                 {"angebot", "Gesuche erfüllen und Angebote auf deine beantworten"},
	"offer send":            {"senden", "Anbieten, ein Gesuch ganz oder zum Teil zu erfüllen"},
	"offer send request":    {"gesuch", "Tipp den Gegenstand und wähl ein Gesuch"},
	"offer send quantity":   {"menge", "Wie viele du bringen kannst"},
	"offer send message":    {"nachricht", "Was der Käufer wissen sollte: wann, wo"},
	"offer send name":       {"name", "Dein Name für den Käufer (sonst dein Discord-Name)"},
	"offer list":            {"liste", "Die Angebote auf eines deiner Gesuche"},
	"offer list request":    {"gesuch", "Welches deiner Gesuche: tipp den Gegenstand"},
	"offer accept":          {"annehmen", "Ein Angebot auf eines deiner Gesuche annehmen"},
	"offer accept offer":    {"angebot", "Welches: tipp den Gegenstand oder den Verkäufer"},
	"offer accept quantity": {"menge", "Wie viele davon (sonst alle, die du noch brauchst)"},
	"offer delete":          {"ablehnen", "Ein Angebot auf eines deiner Gesuche ablehnen"},
	"offer delete offer":    {"angebot", "Welches: tipp den Gegenstand oder den Verkäufer"},
	"offer mine":            {"meine", "Was du angeboten hast und was daraus wurde"},
	"offer withdraw":        {"zurückziehen", "Ein Angebot von dir zurückziehen"},
	"offer withdraw offer":  {"angebot", "Welches: tipp den Gegenstand"},

	"offer unblock":        {"freigeben", "Von einem Verkäufer wieder Angebote annehmen, den du ausgeschlossen hast"},
	"offer unblock seller": {"verkäufer", "Tipp den Discord-Namen"},

	"report":         {"melden", "Der Moderation ein Gesuch melden, das nicht hierher gehört"},
	"report request": {"gesuch", "Tipp den Gegenstand und wähl es aus"},
	"report reason":  {"grund", "Was damit nicht stimmt"},

	"moderate":                {"moderieren", "Den Markt in Ordnung halten, für die Moderation"},
	"moderate reports":        {"meldungen", "Was andere gemeldet haben, und was sich tun lässt"},
	"moderate remove":         {"entfernen", "Ein Gesuch vom Markt nehmen; der Besitzer erfährt den Grund"},
	"moderate remove request": {"gesuch", "Tipp den Gegenstand und wähl es aus"},
	"moderate remove reason":  {"grund", "Warum; der Besitzer liest es"},
	"moderate block":          {"ausschließen", "Ausschließen, wer ein Gesuch eingestellt hat: alles davon wird verborgen"},
	"moderate block request":  {"gesuch", "Tipp den Gegenstand und wähl es aus"},
	"moderate block reason":   {"grund", "Warum; das Mitglied liest es"},
	"moderate unblock":        {"freigeben", "Jemanden wieder handeln lassen"},
	"moderate unblock user":   {"mitglied", "Tipp den Discord-Namen"},
	"moderate blocked":        {"ausgeschlossene", "Wer ausgeschlossen ist, und warum"},
	"moderate log":            {"protokoll", "Wer was getan hat, und wann"},

	"sales":                 {"verkauf", "Festhalten, was zu deinen Gesuchen verkauft wurde"},
	"sales log":             {"eintragen", "Festhalten, dass ein Teil eines Gesuchs gekauft wurde"},
	"sales log request":     {"gesuch", "Welches deiner Gesuche: tipp den Gegenstand"},
	"sales log quantity":    {"menge", "Wie viele gekauft wurden"},
	"sales log notes":       {"notizen", "Von wem, für wie viel: nur für dich"},
	"sales history":         {"verlauf", "Die letzten eingetragenen Verkäufe eines Gesuchs"},
	"sales history request": {"gesuch", "Welches deiner Gesuche: tipp den Gegenstand"},

	"notify":            {"nachrichten", "Welche Direktnachrichten du bekommst"},
	"notify settings":   {"einstellungen", "Wählen, wovon du erfährst, oder alles abschalten"},
	"notify quiet":      {"ruhezeit", "Stunden, in denen nichts gesendet wird; lass beide weg für keine"},
	"notify quiet from": {"von", "Wann sie beginnt, etwa 22:00"},
	"notify quiet to":   {"bis", "Wann sie endet, etwa 07:30"},
	"notify quiet zone": {"zeitzone", "Deine Zeitzone, etwa Europe/Berlin"},
	"notify test":       {"test", "Dir selbst eine Nachricht senden, um zu sehen, ob sie ankommt"},

	"data":          {"daten", "Was über dich gespeichert ist"},
	"data download": {"herunterladen", "Sehen, was über dich gespeichert ist, und es als Datei bekommen"},
	"data delete":   {"löschen", "Alles von dir endgültig löschen"},

	"board":               {"tafel", "Neue Gesuche in einem Kanal zeigen, für Mitglieder, die den Server verwalten dürfen"},
	"board here":          {"hier", "Jedes neue Gesuch in diesem Kanal zeigen, mit einem Knopf zum Anbieten"},
	"board here category": {"kategorie", "Nur dieser Beruf (sonst alle)"},
	"board remove":        {"entfernen", "In diesem Kanal keine neuen Gesuche mehr zeigen"},
}
