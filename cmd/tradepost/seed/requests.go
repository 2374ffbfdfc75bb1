package seed

import "tradepost/core"

// stage says how far a seeded request has come.
type stage int

const (
	fresh    stage = iota // without offers
	offered               // offers wait for an answer
	moving                // some of it was sold, offers wait
	nearly                // most of it was sold
	filled                // all of it was sold
	closed                // closed early
	expiring              // a few days are left
	expired               // its time is over
)

// request is one line of the seeded market.
type request struct {
	owner      int // which of the four players
	item       string
	quantity   int
	price      string // for one
	category   core.Category
	importance core.Importance
	level      int // 0 for any
	text       string
	stage      stage
	hours      int // how long ago it was posted; for expiring and expired ones a year is added
}

// requests is the seeded market: four or more a profession, in every stage.
var requests = []request{
	{0, "Wild Garlic", 120, "12s", "Forager", core.Low, 0, "For the autumn cook-off. Any freshness is fine.", offered, 30},
	{1, "Morel Mushroom", 60, "85s", "Forager", core.High, 45, "The damp forest behind the mill has plenty after rain.", moving, 52},
	{2, "Dewdrop Moss", 300, "4s 500c", "Forager", core.Medium, 0, "", fresh, 3},
	{3, "Golden Chanterelle", 40, "1g 200s", "Forager", core.Urgent, 110, "Needed before Saturday's feast, I will come to you.", offered, 7},
	{0, "Elderberry", 500, "6s", "Forager", core.Medium, 0, "Syrup season.", filled, 400},

	{1, "Silver Trout", 80, "150s", "Fisher", core.Medium, 60, "Caught with a fly if you can, they keep longer.", moving, 26},
	{2, "Moonlit Koi", 5, "12g 500s", "Fisher", core.High, 210, "Only bites at night by the shrine. Happy to share my bait recipe with anyone who helps.", offered, 12},
	{3, "River Crab", 250, "35s", "Fisher", core.Low, 0, "", fresh, 18},
	{0, "Ancient Sturgeon", 1, "1p 250g", "Fisher", core.Urgent, 420, "For the museum wing. One is enough, any size.", offered, 5},

	{1, "Honey Glazed Ham", 20, "3g 400s", "Chef", core.Medium, 150, "Star quality, for a wedding party of twelve.", nearly, 75},
	{2, "Travel Bread", 400, "9s", "Chef", core.High, 0, "Guild expedition leaves on Sunday evening. Stacks of any size are welcome.", moving, 20},
	{3, "Spiced Pumpkin Soup", 60, "240s", "Chef", core.Low, 80, "", fresh, 44},
	{0, "Seven Layer Cake", 2, "48g", "Chef", core.Medium, 310, "A birthday surprise, so whisper me and not Rowan.", offered, 9},

	{1, "Healing Draught", 200, "180s", "Alchemist", core.Urgent, 90, "We wiped twice on the lower crypt and are out of potions.", moving, 4},
	{2, "Elixir of Clear Mind", 15, "6g 200s", "Alchemist", core.Medium, 240, "", offered, 33},
	{3, "Alkahest", 3, "75g", "Alchemist", core.High, 400, "Masterwork only. I can bring the mercury.", fresh, 15},
	{0, "Glow Oil", 150, "55s", "Alchemist", core.Low, 40, "Lanterns for the mine road.", nearly, 160},

	{1, "Starbloom Seed", 30, "2g", "Botanist", core.Medium, 180, "Blue ones only, the rest of the bed is blue.", offered, 21},
	{2, "Heartwood Sapling", 12, "4g 750s", "Botanist", core.Low, 130, "", moving, 90},
	{3, "Fertile Compost", 800, "3s", "Botanist", core.Medium, 0, "New terraces. I fetch it myself if you have a full cart.", moving, 60},
	{0, "Frost Lily", 25, "900s", "Botanist", core.High, 220, "Picked before sunrise, please.", expiring, 20},

	{1, "Oak Log", 1500, "14s", "Woodcutter", core.Medium, 0, "For the new bridge. Every cart helps, part loads are fine.", moving, 110},
	{2, "Ironwood Plank", 240, "220s", "Woodcutter", core.High, 160, "", offered, 14},
	{3, "Whisperwood Resin", 45, "1g 100s", "Woodcutter", core.Low, 200, "Amber colour, not the green.", fresh, 27},
	{0, "Kindling Bundle", 600, "2s", "Woodcutter", core.Low, 0, "", closed, 200},

	{1, "Carved Rocking Chair", 4, "9g 900s", "Carpenter", core.Medium, 140, "A matching set for the inn's porch.", offered, 40},
	{2, "Sturdy Crate", 120, "320s", "Carpenter", core.Low, 60, "", nearly, 130},
	{3, "Harvest Table", 2, "22g", "Carpenter", core.High, 260, "Seats eight. We open the tavern next week.", offered, 11},
	{0, "Lute Body", 6, "7g 450s", "Carpenter", core.Medium, 190, "Spruce top, please. Strings I have.", fresh, 6},

	{1, "Iron Ore", 500, "25s", "Miner", core.High, 30, "Smelting through the weekend. I take any amount from 20 up.", moving, 16},
	{2, "Copper Ore", 900, "8s", "Miner", core.Low, 0, "", fresh, 49},
	{3, "Palium Ore", 120, "2g 600s", "Miner", core.Urgent, 280, "Last batch for the guild's pickaxes.", offered, 2},
	{0, "Rough Opal", 18, "5g 800s", "Miner", core.Medium, 230, "", moving, 70},
	{1, "Coal", 2000, "5s", "Miner", core.Medium, 0, "Winter stock. Drop it at the forge any time.", filled, 500},

	{2, "Bone Charm", 25, "700s", "Bonewright", core.Medium, 70, "", offered, 38},
	{3, "Ribcage Harp", 1, "34g", "Bonewright", core.High, 350, "It should play in tune. Yes, I know how that sounds.", fresh, 22},
	{0, "Fishbone Needle", 200, "28s", "Bonewright", core.Low, 20, "Sewing circle.", moving, 85},
	{1, "Antler Grip", 40, "1g 350s", "Bonewright", core.Medium, 150, "", expired, 90},

	{2, "Steel Ingot", 300, "480s", "Blacksmith", core.High, 120, "Paid on delivery, and I cover the travel.", moving, 23},
	{3, "Horseshoe", 64, "90s", "Blacksmith", core.Low, 40, "", nearly, 140},
	{0, "Tempered Longsword", 3, "28g 500s", "Blacksmith", core.Medium, 290, "Balanced for a short arm.", offered, 31},
	{1, "Lockpick Set", 10, "2g 250s", "Blacksmith", core.Urgent, 170, "For an entirely honest locksmith.", offered, 8},

	{2, "Granite Block", 700, "32s", "Stonemason", core.Medium, 50, "Town wall, north side.", moving, 66},
	{3, "Marble Statue", 1, "95g", "Stonemason", core.Low, 380, "A heron, about as tall as a person.", fresh, 57},
	{0, "Hearth Stone", 36, "850s", "Stonemason", core.High, 140, "", offered, 19},
	{1, "Cobblestone", 3000, "1s 500c", "Stonemason", core.Low, 0, "The lane to the orchard floods each spring.", closed, 300},

	{2, "Case File: The Missing Bell", 1, "18g", "Detective", core.High, 200, "Complete, with the baker's statement.", offered, 13},
	{3, "Lens of Scrutiny", 4, "8g 200s", "Detective", core.Medium, 160, "", fresh, 36},
	{0, "Invisible Ink", 50, "400s", "Detective", core.Low, 90, "You know what for. So do I, I wrote it down somewhere.", moving, 100},
	{1, "Wax Seal Kit", 30, "650s", "Detective", core.Medium, 60, "", filled, 350},

	{2, "Soft Leather", 350, "60s", "Leatherworker", core.Medium, 40, "", moving, 42},
	{3, "Explorer's Backpack", 8, "6g 750s", "Leatherworker", core.High, 210, "For the new members, so nothing fancy.", offered, 17},
	{0, "Drake Hide", 20, "14g", "Leatherworker", core.Urgent, 360, "Undamaged hides only, and I pay the full price for each.", nearly, 28},
	{1, "Saddle Strap", 90, "210s", "Leatherworker", core.Low, 80, "", expiring, 40},

	{2, "Silk Bolt", 75, "1g 900s", "Merchant", core.Medium, 0, "Red or ivory.", offered, 24},
	{3, "Caravan Permit", 2, "40g", "Merchant", core.High, 0, "For the eastern road.", fresh, 10},
	{0, "Old Coin Collection", 1, "2p", "Merchant", core.Low, 0, "Complete from the first mint. I will hold out for a good one.", fresh, 230},
	{1, "Rare Spice Box", 16, "11g 250s", "Merchant", core.Medium, 0, "", moving, 55},

	{2, "Slime Core", 160, "95s", "Combat", core.Medium, 70, "", moving, 34},
	{3, "Wyvern Talon", 12, "16g 400s", "Combat", core.Urgent, 390, "The ritual is on Friday at nine.", offered, 1},
	{0, "Goblin Banner", 100, "140s", "Combat", core.Low, 110, "Decoration, so torn is better.", offered, 47},
	{1, "Guardian Rune", 9, "30g", "Combat", core.High, 450, "Escort from the gate is on me.", fresh, 29},
}

// sayings are what sellers write with an offer.
var sayings = []string{
	"I have these in my chest right now, whisper me any time.",
	"Can bring half tonight and the rest tomorrow.",
	"Fresh from this morning, I am at the harbour until ten.",
	"My guild has plenty. Tell us where to meet.",
	"I gather these anyway on my way to the mine.",
	"Happy to deliver to your plot if you leave the gate open.",
	"Part of it for now, more after the weekend.",
	"I can craft them if you bring the materials, or sell as they are.",
}

// visitors are sellers who never signed in.
var visitors = []struct{ name, contact string }{
	{"Bramblewick", "bramblewick"}, {"Sable", "sable.rook"}, {"Old Pim", "pim_the_elder"}, {"Wren", "wren_of_the_fen"},
	{"Hazel", "hazelnutty"}, {"Corvin", "corvin77"}, {"Tilda", "tilda.oak"}, {"Moss", "mossandstone"},
}
