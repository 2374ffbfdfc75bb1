module tradepost/tools/architecture

go 1.26
