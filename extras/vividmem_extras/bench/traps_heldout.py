"""The held-out part of the trap list, in another style; nothing may be built with it.

`traps` explains the rows.
"""

ROWS = """
I'm based in Leeds these days. | Where am I based? | Leeds
- Wouldn't it be something to wake up in Havana?
We've got a house in Malmo. | Where is our house? | Malmo
- Dad keeps saying "move to Ostrava, son", but no chance.
I've settled in Bilbao. | Where have I settled? | Bilbao
- Stuck in Nantes overnight thanks to the airline, home tomorrow.
My home is in Trieste. | Where is my home? | Trieste
- The parcel has moved to the depot in Udine.
I live in Bristol. | Where do I live? | Bristol
- My old school friend swapped Bristol for Cardiff.
I've got a job with Bosch. | Who do I have a job with? | Bosch
- Ha, the lad from Airbus beat me at chess.
I'm employed by Maersk. | Who am I employed by? | Maersk
- Carlsberg is hiring again, says the paper.
I work for Unilever. | Who do I work for? | Unilever
- Handed in my library books at last.
I'm with Novartis, in sales. | Which company am I with? | Novartis
- My badge stopped working for an hour, fixed now.
I'm a qualified plumber. | What am I qualified as? | plumber
- Felt like a pharmacist, sorting all those vitamins.
My occupation is architect. | What is my occupation? | architect
- At the fancy-dress party I was a pirate.
My line manager is Giuseppe. | Who is my line manager? | Giuseppe
- Anneke ran the meeting since Giuseppe had the flu.
Tariq is my supervisor. | Who is my supervisor? | Tariq
- Beatrix, who supervises the night shift, brought cake.
I do my banking at HSBC. | Where do I do my banking? | HSBC
- Got a leaflet: "Switch to Starling today!"
My current account is with Lloyds. | Where is my current account? | Lloyds
- Gran still keeps her coins in an ING piggy bank.
My handset is a Motorola. | What handset do I have? | Motorola
- Someone left a Blackberry on the bench, handed it in.
I've got a Redmi as my phone. | What phone have I got? | Redmi
- Thinking of getting a Zenfone, maybe next year.
My default browser is Firefox. | What is my default browser? | Firefox
- The bug only shows up in Safari, the tester says.
I keep my notes in Obsidian. | Where do I keep my notes? | Obsidian
- Took notes on a napkin during the talk.
We've got a Renault. | What car have we got? | Renault
- A Subaru cut me up at the roundabout.
My car is a Dacia. | What is my car? | Dacia
- The garage lent me a Hyundai while they fix the brakes.
I take the tube to work. | How do I get to work? | tube
- Walked in today because of the strike.
My commute is on the moped. | How do I commute? | moped
- For once the train was on time when we visited Gran.
My diet is low-carb. | What is my diet? | low-carb
- Had a slice of birthday cake, sue me.
I eat gluten-free. | How do I eat? | gluten-free
- Booked a kosher table for the clients.
I lift weights at McFit. | Where do I lift weights? | McFit
- The Anytime in our street burnt down, nobody hurt.
My hobby is pottery. | What is my hobby? | pottery
- Chess on the telly, who would have thought.
I'm into beekeeping as a hobby. | What is my hobby? | beekeeping
- Took up the carpet in the hall.
I play the banjo. | What do I play? | banjo
- Picked up a viola case by mistake, swapped back at the station.
I'm the oboe player in my family. | Which instrument do I play? | oboe
- Gave up waiting for the kettle.
I'm taking Polish lessons. | Which lessons am I taking? | Polish
- The waiter answered in Greek and we all laughed.
I study Icelandic with a tutor. | What do I study with a tutor? | Icelandic
- Turkish coffee after lunch, perfect.
My family doctor is Dr Moreau. | Who is my family doctor? | Dr Moreau
- Dr Rossi from number nine borrowed our ladder.
Lorenzo cuts my hair. | Who cuts my hair? | Lorenzo
- Paulette cut the ribbon at the opening.
I'm prescribed lisinopril. | What am I prescribed? | lisinopril
- Pharmacist asked whether I ever had warfarin; never did.
My insurer is Helvetia. | Who is my insurer? | Helvetia
- Saw the Mapfre tower from the plane.
I'm reading Persuasion at the moment. | What am I reading? | Persuasion
- Mum's book club has picked Dracula.
We're bingeing Succession. | What are we bingeing? | Succession
- Missed the bus because of a chat about Narcos.
I'm dating Rowan. | Who am I dating? | Rowan
- Left Rowan a note on the fridge.
Quinn is my girlfriend. | Who is my girlfriend? | Quinn
- Dated the cheque wrong, had to write it again for Ellis.
My drink of choice is rooibos. | What is my drink of choice? | rooibos
- They were out of it, so a mocha had to do just this once.
I go to bed at 22:40. | When do I go to bed? | 22:40
- Couldn't sleep, still up at 1:30 on Tuesday.
The design review is at 14:20. | When is the design review? | 14:20
- The budget review got moved to 16:10.
The report is due on 14 March. | When is the report due? | 14 March
- Rent is due on the first, as ever.
My rent is 740 a month. | What is my rent? | 740
- The flat upstairs goes for 930, imagine.
Our warehouse is Snowflake. | What is our warehouse? | Snowflake
- A vendor demoed BigQuery; nice charts, no deal.
Our CI is Jenkins. | What is our CI? | Jenkins
- Ana's side project builds on CircleCI.
Our backend is written in Kotlin. | What is our backend written in? | Kotlin
- The quiz question was about Haskell.
We chat on Slack at work. | Where do we chat at work? | Slack
- The gaming crowd meets on Discord.
The Hermes rollout is on track. | What is the state of the Hermes rollout? | on track
- The Iris rollout is cancelled, by the way.
The fleet is on firmware 1.7. | Which firmware is the fleet on? | 1.7
- Somebody on the forum claims 1.9 fixes the fan.
My power comes from Octopus. | Where does my power come from? | Octopus
- We ate octopus and watched the Enel race.
Our autumn break is in Sicily. | Where is our autumn break? | Sicily
- The Norway brochure makes a fine coaster.
I do my weekly shop at Lidl. | Where do I do my weekly shop? | Lidl
- Nipped into Tesco for a birthday card.
My landlord is Mr Cho. | Who is my landlord? | Mr Cho
- Mrs Duval, who owns the bakery, waved.
My office is Room 118. | Where is my office? | Room 118
- Fire drill: we all stood around outside Room 427.
My shoes are size 41. | What size are my shoes? | size 41
- Bought the boy size 38 wellies, he'll grow into them.
My son is called Magnus. | What is my son called? | Magnus
- Met a huge dog called Leopold.
Kwame lives in Accra. | Where does Kwame live? | Accra
- Kwame spent his holiday in Lome.
Zofia's boss is Sunniva. | Who is Zofia's boss? | Sunniva
- Zofia told Dmitri off, rightly so.
"""
