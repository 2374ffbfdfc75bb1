module tradepost/tools/licences

go 1.26
