package seed

import "tradepost/core/game"

// stage is the progress of a seeded request.
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
	category   game.Category
	importance game.Importance
	level      int // 0 for any
	text       string
	stage      stage
	hours      int // how long ago it was posted; for expiring and expired ones a year is added
}

// requests is the seeded market: four or more a profession, in every stage, for items that the game has.
var requests = []request{
	{0, "Common Limpet", 120, "12s", "Forager", game.Low, 0,
		"For the autumn cook-off. Any freshness is fine.", offered, 30},
	{1, "Arc Limpet", 260, "38s", "Forager", game.High, 80, "The rocks by the mill have plenty after rain.",
		moving, 52},
	{2, "Tangled Pond Weed", 300, "4s 500c", "Forager", game.Medium, 0, "", fresh, 3},
	{3, "Red Hogberries", 240, "62s", "Forager", game.Urgent, 347,
		"Needed before Saturday's feast, I will come to you.", offered, 7},
	{0, "Green Hogberries", 500, "6s", "Forager", game.Medium, 0, "Syrup season.", filled, 400},

	{1, "Waltzing Cod", 180, "45s", "Fisher", game.Medium, 104,
		"Caught this week if you can, they keep longer.", moving, 26},
	{2, "Greater Eel", 150, "88s", "Fisher", game.High, 323,
		"Only bites at night. Happy to share my bait recipe with anyone who helps.", offered, 12},
	{3, "Ridged Herring", 250, "15s", "Fisher", game.Low, 0, "", fresh, 18},
	{0, "Emperor Cod", 100, "140s", "Fisher", game.Urgent, 454, "For the guild feast. Part of it helps, too.",
		offered, 5},

	{1, "Gourmet Bacon Sandwich", 120, "94s", "Chef", game.Medium, 345,
		"For a wedding party of twelve, and everybody they bring.", nearly, 75},
	{2, "Basic Omelette", 400, "9s", "Chef", game.High, 0,
		"Guild expedition leaves on Sunday evening. Stacks of any size are welcome.", moving, 20},
	{3, "Yellowtail Gurnard Soup", 160, "24s", "Chef", game.Low, 16, "", fresh, 44},
	{0, "Delicious Chicken and Leek Pie", 200, "66s", "Chef", game.Medium, 197,
		"A birthday surprise, so whisper me and not Rowan.", offered, 9},

	{1, "35% Potion Healing", 200, "58s", "Alchemist", game.Urgent, 99,
		"We wiped twice on the lower crypt and are out of potions.", moving, 4},
	{2, "40% Potion Healing", 150, "82s", "Alchemist", game.Medium, 164, "", offered, 33},
	{3, "45% Potion Healing", 100, "130s", "Alchemist", game.High, 296, "I can bring the ingredients.",
		fresh, 15},
	{0, "25% Potion Healing", 350, "21s", "Alchemist", game.Low, 0, "For the mine road.", nearly, 160},

	{1, "White Tangfruit", 300, "11s", "Botanist", game.Medium, 0, "As fresh as they come.", offered, 21},
	{2, "Langard Garlic", 220, "47s 500c", "Botanist", game.Low, 100, "", moving, 90},
	{3, "Greenfly Spray Refill", 800, "3s", "Botanist", game.Medium, 0,
		"New terraces. I fetch it myself if you have a full cart.", moving, 60},
	{0, "Golden Leek", 125, "90s", "Botanist", game.High, 360, "Picked before sunrise, please.",
		expiring, 20},

	{1, "Coarse Poplar Log", 1500, "14s", "Woodcutter", game.Medium, 0,
		"For the new bridge. Every cart helps, part loads are fine.", moving, 110},
	{2, "Sturdy Juniper Log", 240, "74s", "Woodcutter", game.High, 251, "", offered, 14},
	{3, "Fine Yew Log", 145, "52s", "Woodcutter", game.Low, 178, "Straight ones, please.", fresh, 27},
	{0, "Coarse Hickory Branches", 600, "2s", "Woodcutter", game.Low, 0, "", closed, 200},

	{1, "Average Oak Pole", 240, "36s", "Carpenter", game.Medium, 72, "For the fence of the inn.",
		offered, 40},
	{2, "Rugged Hickory Pole", 120, "20s", "Carpenter", game.Low, 0, "", nearly, 130},
	{3, "Sturdy Yew Pole", 180, "99s", "Carpenter", game.High, 315, "We open the tavern next week.",
		offered, 11},
	{0, "Fine Poplar Pole", 260, "54s 500c", "Carpenter", game.Medium, 162, "Even grain, please.", fresh, 6},

	{1, "Rigic Adathril Ore", 500, "25s", "Miner", game.High, 67,
		"Smelting through the weekend. I take any amount from 20 up.", moving, 16},
	{2, "Maloic Adathril Ore", 900, "8s", "Miner", game.Low, 0, "", fresh, 49},
	{3, "Masic Adathril Ore", 320, "76s", "Miner", game.Urgent, 294, "Last batch for the guild's pickaxes.",
		offered, 2},
	{0, "Hightower Gold", 180, "58s", "Miner", game.Medium, 144, "", moving, 70},
	{1, "Coarse Flint", 2000, "5s", "Miner", game.Medium, 0, "Winter stock. Drop it at the forge any time.",
		filled, 500},

	{2, "Gray Goat Horn (Brewed)", 225, "17s", "Bonewright", game.Medium, 0, "", offered, 38},
	{3, "Mottled Rams Horn (Brewed)", 150, "34s", "Bonewright", game.High, 52,
		"All of one colour. Yes, I know how that sounds.", fresh, 22},
	{0, "Streaky Bone Spike (Brewed)", 200, "12s", "Bonewright", game.Low, 0, "Sewing circle.", moving, 85},
	{1, "Ridged Goat Horn (Brewed)", 140, "35s", "Bonewright", game.Medium, 90, "", expired, 90},

	{2, "Caric Adathril Ingot", 300, "88s", "Blacksmith", game.High, 178,
		"Paid on delivery, and I cover the travel.", moving, 23},
	{3, "Shaprian Cabranese Ingot", 264, "90s", "Blacksmith", game.Low, 220, "", nearly, 140},
	{0, "Masic Adathril Ingot", 230, "128s 500c", "Blacksmith", game.Medium, 294, "For the armoury.",
		offered, 31},
	{1, "Yehrite Flantium Ingot", 410, "42s", "Blacksmith", game.Urgent, 64,
		"For an entirely honest locksmith.", offered, 8},

	{2, "Rugged Andesite (Etched)", 700, "32s", "Stonemason", game.Medium, 58, "Town wall, north side.",
		moving, 66},
	{3, "Fine Flint (Etched)", 200, "55s", "Stonemason", game.Low, 138,
		"For the path to the statue of a heron.", fresh, 57},
	{0, "Coarse Flint (Etched)", 360, "8s 500c", "Stonemason", game.High, 0, "", offered, 19},
	{1, "Average Granite", 3000, "16s 500c", "Stonemason", game.Low, 119,
		"The lane to the orchard floods each spring.", closed, 300},

	{2, "Strong Potion Forensics", 120, "78s", "Detective", game.High, 194, "The bell is still missing.",
		offered, 13},
	{3, "Fine Potion Forensics", 140, "52s", "Detective", game.Medium, 134, "", fresh, 36},
	{0, "Moderate Potion Forensics", 150, "34s", "Detective", game.Low, 63,
		"You know what for. So do I, I wrote it down somewhere.", moving, 100},
	{1, "Basic Potion Forensics", 300, "16s", "Detective", game.Medium, 30, "", filled, 350},

	{2, "Moderate Bison Leather", 350, "28s", "Leatherworker", game.Medium, 44, "", moving, 42},
	{3, "Superior Bison Leather", 180, "81s", "Leatherworker", game.High, 260,
		"For the new members' backpacks, so nothing fancy.", offered, 17},
	{0, "Perfect Black Cow Leather", 120, "114s", "Leatherworker", game.Urgent, 380,
		"Undamaged only, and I pay the full price for each.", nearly, 28},
	{1, "Fine Black Cow Leather", 190, "41s", "Leatherworker", game.Low, 78, "", expiring, 40},

	{2, "Superior Bison Hide", 175, "79s", "Merchant", game.Medium, 283, "In one delivery or several.",
		offered, 24},
	{3, "Bath Salts", 220, "44s", "Merchant", game.High, 136, "For the eastern road.", fresh, 10},
	{0, "Tin Pocket Watch", 100, "120s", "Merchant", game.Low, 45, "I will hold out for good ones.",
		fresh, 230},
	{1, "Merridark Spice", 160, "71s 250c", "Merchant", game.Medium, 264, "", moving, 55},

	{2, "Slime Mine Reagent", 160, "35s", "Combat", game.Medium, 54, "", moving, 34},
	{3, "Beastman Claws Mine Reagent", 120, "64s", "Combat", game.Urgent, 68,
		"The ritual is on Friday at nine.", offered, 1},
	{0, "Rat Whiskers Mine Reagent", 200, "40s", "Combat", game.Low, 71, "For a potion, or so I am told.",
		offered, 47},
	{1, "Dread Shell Plate Mine Reagent", 190, "90s", "Combat", game.High, 86,
		"Escort from the gate is on me.", fresh, 29},
}

// sayings are sellers' messages with an offer.
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
	{"Bramblewick", "bramblewick"}, {"Sable", "sable.rook"}, {"Old Pim", "pim_the_elder"},
	{"Wren", "wren_of_the_fen"},
	{"Hazel", "hazelnutty"}, {"Corvin", "corvin77"}, {"Tilda", "tilda.oak"}, {"Moss", "mossandstone"},
}
